import HTTP
import Testing

@testable import AASAServer

/// What a service answers to one request head, without a socket.
func ask(
    _ service: inout some AuxiliaryService, _ head: String
) throws -> (text: String, isLast: Bool) {
    var parser = HTTP1RequestParser()
    var question: (any Sendable)?
    let answer = try Array(head.utf8).withUnsafeBytes { bytes -> AuxiliaryAnswer? in
        let request: RequestView
        switch parser.parse(bytes) {
        case .needMore: return nil
        case .reject: request = try #require(parser.unreadable(in: bytes))
        case .request(let whole, _): request = whole
        }
        return service.answer(request, question: &question)
    }
    let found = try #require(answer)
    return (String(decoding: found.message, as: UTF8.self), found.isLast)
}

extension AuxiliaryResponse {
    func value(of name: String) -> String? { fields.first { $0.name == name }?.value }
}
