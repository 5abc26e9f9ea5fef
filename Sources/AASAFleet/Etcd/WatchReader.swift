import AppSiteAssociation

/// Parses the stream of a watch: one JSON object per line.
package struct WatchReader: Sendable {
    package enum Message: Sendable, Equatable {
        /// The key was changed.
        case changed
        /// No change, but the watch is alive.
        case progress
        /// The requested revisions were compacted: read everything, then watch from there.
        case compacted
        /// The watch has ended.
        case ended(EtcdFailure)
    }

    /// The watched key holds a pointer of some hundred bytes; a line has one event of it, or all
    /// that the watch missed.
    static let lineMaximum = 1 << 20

    private var line: [UInt8] = []

    package init() {}

    package mutating func receive(_ bytes: [UInt8]) -> [Message] {
        var messages: [Message] = []
        line += bytes
        while let end = line.firstIndex(of: UInt8(ascii: "\n")) {
            if end > 0 { messages.append(Self.message(Array(line[..<end]))) }
            line.removeFirst(end + 1)
        }
        if line.count > Self.lineMaximum {
            line = []
            messages.append(.ended(.malformed("a line without an end")))
        }
        return messages
    }

    private static func message(_ line: [UInt8]) -> Message {
        do throws(EtcdFailure) {
            let value = try EtcdReplyReader.object(line)
            if value["error"] != nil { return .ended(EtcdFailure(gateway: value)) }
            guard let result = value["result"] else {
                return .ended(.malformed("a message without a result"))
            }
            if result["canceled"]?.bool == true { return try cancelled(result) }
            return result["events"]?.array?.isEmpty == false ? .changed : .progress
        } catch {
            return .ended(error)
        }
    }

    private static func cancelled(_ result: JSONValue) throws(EtcdFailure) -> Message {
        if let compacted = try EtcdReplyReader.number(result["compact_revision"]), compacted > 0 {
            return .compacted
        }
        let reason = result["cancel_reason"]?.string ?? "no reason given"
        // `rpc error: code = PermissionDenied desc = …`
        if reason.contains("PermissionDenied") { return .ended(.denied(reason)) }
        if reason.contains("Unauthenticated") || reason.contains("auth") {
            return .ended(.unauthenticated(reason))
        }
        return .ended(.unavailable(reason))
    }
}
