import AppSiteAssociation
import Reactor

/// The protocol of aasa 1.1.0: one line of JSON each way. The binary that `aasa upgrade` runs is
/// the new one already, and has to reach the process that it replaces. To be deleted in a later
/// release.
extension ControlClient {
    /// Whether bytes are the answer of aasa 1.1.0, which refuses an HTTP request as a line of JSON.
    static func isVersion1(_ answer: [UInt8]) -> Bool { answer.first == UInt8(ascii: "{") }

    static func fetchFromVersion1(
        _ path: String, _ request: ControlRequest, process: ProcessID, seconds: Int
    ) throws(Failure) -> JSONValue {
        let command =
            switch request {
            case .process: "who"
            case .status, .document: "status"
            case .reload: "reload"
            case .upgrade, .forcedUpgrade: "upgrade"
            }
        let line = JSONValue.object([
            ("command", .text(command)), ("force", .flag(request == .forcedUpgrade)),
        ])
        let answer = try json(
            exchange(
                path, JSONWriter.minified(line) + [10], process: process, seconds: seconds))
        guard request == .document else { return answer }
        guard let document = answer["status"] else { throw .stranger("its answer is not aasa's") }
        return document
    }
}
