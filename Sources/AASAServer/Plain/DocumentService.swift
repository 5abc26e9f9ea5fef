package import HTTP
import Reactor

/// The site without TLS, for a TLS terminator on this machine: the same answers as on the public
/// listeners, by the same decision.
///
/// Nothing is shed here: a terminator bounds its connections itself, and the slots of
/// AuxiliaryServer bound what is under way.
package struct DocumentService: AuxiliaryService {
    let publisher: SnapshotPublisher
    let access: (any AccessSink)?

    package func answer(_ request: RequestView) -> AuxiliaryAnswer {
        let answer = Responder.answer(
            request, snapshot: publisher.latest.snapshot, serverName: nil
        ) { _ in nil }
        let isHead = request.method == .head
        let response = answer.response
        answer.host?.counters.count(answer.hostAnswer)
        access?.answered(
            AccessEntry(
                request: request, peer: nil, host: answer.host?.name, status: response.status,
                bytes: isHead ? 0 : response.body.count, worker: 0))
        // Bytes after a request with a body are not read as a request: two parsers could disagree
        // about where the body ends.
        let isLast = request.wantsClose || request.hasBody || request.fault != nil
        return .message(
            Self.message(response, isHead: isHead, isLast: isLast), isLast: isLast)
    }

    private static func message(
        _ response: PreparedResponse, isHead: Bool, isLast: Bool
    ) -> [UInt8] {
        let headCount = response.http1HeadCount(close: isLast)
        let date = HTTPDate(unixSeconds: WallClock.seconds)
        var message = [UInt8](repeating: 0, count: headCount)
        message.withUnsafeMutableBytes {
            _ = response.writeHTTP1Head(into: $0, date: date, close: isLast)
        }
        if !isHead { message += response.body.bytes }
        return message
    }
}
