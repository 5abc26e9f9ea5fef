import HTTP
import Testing

@testable import AASAServer

/// What a service answers to one request head, without a socket.
func ask(
    _ service: inout some AuxiliaryService, _ head: String
) throws -> (text: String, isLast: Bool) {
    var parser = HTTP1RequestParser()
    let answer = try Array(head.utf8).withUnsafeBytes { bytes -> AuxiliaryAnswer? in
        let request: RequestView
        switch parser.parse(bytes) {
        case .needMore: return nil
        case .reject: request = try #require(parser.unreadable(in: bytes))
        case .request(let whole, _): request = whole
        }
        return service.answer(request)
    }
    guard case .message(let message, let isLast) = try #require(answer) else { throw Waits() }
    return (String(decoding: message, as: UTF8.self), isLast)
}

/// The answer is not known yet.
private struct Waits: Error {}

extension AuxiliaryResponse {
    func value(of name: String) -> String? { fields.first { $0.name == name }?.value }
}
