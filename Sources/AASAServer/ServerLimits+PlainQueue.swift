extension ServerLimits {
    /// The limits of a server without admission control, with which `aasa storm demo` shows what a
    /// plain queue does: a handshake begins as soon as its connection is accepted, in the order of
    /// arrival. No waiting client is checked again, and every request is answered with the
    /// document.
    package static var plainQueue: ServerLimits {
        let never: Duration = .seconds(86_400)
        var limits = ServerLimits.standard
        limits.backlog = 65_535
        limits.admission.backlogSeconds = nil
        limits.admission.startsPerTurn = Int(UInt16.max)
        limits.admission.workingMinimum = Int(UInt16.max)
        limits.admission.turnTimeMaximum = never
        limits.admission.inspectionAge = never
        limits.admission.queueAgeTolerated = never
        limits.admission.patienceSampleMinimum = never
        limits.shedding.egressBytesMinimum = .max
        limits.shedding.requestAgeMaximum = never
        return limits
    }
}
