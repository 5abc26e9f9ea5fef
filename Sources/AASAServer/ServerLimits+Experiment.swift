extension ServerLimits {
    /// Changes some limits for a measurement, as the experiments of `Tests/Experiments` do to
    /// compare settings, and `aasa storm demo` to show what a plain queue does; nothing that a user
    /// is meant to set. The one place where `AASA_EXPERIMENT` is understood.
    ///
    /// - Parameter text: `name=value`, several with commas: `backlog` (fixed,
    ///   connections), `backlog-seconds` (of handshakes), `defer` (seconds), `batch`
    ///   (starts per turn), `accepts` (per handshake), `plain` (1: no admission, no shedding).
    /// - Returns: what could not be understood; `nil` if everything was.
    package mutating func apply(experiment text: String) -> String? {
        for setting in text.split(separator: ",") {
            let parts = setting.split(separator: "=", maxSplits: 1)
            guard parts.count == 2, set(String(parts[0]), String(parts[1])) else {
                return String(setting)
            }
        }
        return nil
    }

    private mutating func set(_ name: String, _ value: String) -> Bool {
        guard let number = Double(value), number >= 0, number <= 65_535 else { return false }
        switch name {
        case "backlog":
            backlog = Int32(number)
            admission.backlogSeconds = nil
        case "backlog-seconds": admission.backlogSeconds = number
        case "defer": deferAcceptSeconds = Int32(number)
        case "batch": admission.startsPerTurn = max(1, Int(number))
        case "accepts": admission.acceptsPerHandshake = number
        case "plain": if number == 1 { queuePlainly() }
        default: return false
        }
        return true
    }

    /// As servers do that know no admission: a handshake is begun as soon as its connection is
    /// accepted, in the order of arrival, nobody is looked at again, and every request is answered
    /// with the document.
    private mutating func queuePlainly() {
        let never: Duration = .seconds(86_400)
        backlog = 65_535
        admission.backlogSeconds = nil
        admission.startsPerTurn = Int(UInt16.max)
        admission.workingMinimum = Int(UInt16.max)
        admission.turnTimeMaximum = never
        admission.inspectionAge = never
        admission.queueAgeTolerated = never
        admission.patienceSampleMinimum = never
        shedding.egressBytesMinimum = .max
        shedding.requestAgeMaximum = never
    }
}
