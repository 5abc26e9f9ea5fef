import AASAServer
import Reactor

/// Limits under measurement, as a text: `name=value`, several with commas.
///
/// `backlog` (fixed, connections), `backlog-seconds` (of handshakes), `defer` (seconds), `batch`
/// (starts per turn), `accepts` (per handshake).
enum LimitSettings {
    static func apply(_ text: String, to limits: inout ServerLimits) throws(Problem) {
        for setting in text.split(separator: ",") {
            let parts = setting.split(separator: "=", maxSplits: 1)
            guard parts.count == 2, let number = Double(parts[1]), (0...65_535).contains(number),
                set(String(parts[0]), number, &limits)
            else {
                throw Problem(
                    place: "LIMITS", cause: "'\(setting)' is not a setting",
                    remedy: "backlog, backlog-seconds, defer, batch, accepts: NAME=NUMBER")
            }
        }
    }

    private static func set(_ name: String, _ number: Double, _ limits: inout ServerLimits) -> Bool
    {
        switch name {
        case "backlog":
            limits.backlog = Int32(number)
            limits.admission.backlogSeconds = nil
        case "backlog-seconds": limits.admission.backlogSeconds = number
        case "defer": limits.deferAcceptSeconds = Int32(number)
        case "batch": limits.admission.startsPerTurn = max(1, Int(number))
        case "accepts": limits.admission.acceptsPerHandshake = number
        default: return false
        }
        return true
    }
}
