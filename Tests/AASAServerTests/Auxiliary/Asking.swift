import HTTP
import Testing

@testable import AASAServer

/// What a service answers to one whole request head, without a socket.
func ask(
    _ service: inout some AuxiliaryService, _ head: String
) throws -> (text: String, isLast: Bool) {
    var parser = HTTP1RequestParser()
    var question: (any Sendable)?
    let answer = Array(head.utf8).withUnsafeBytes { bytes -> AuxiliaryAnswer? in
        guard case .request(let request, _) = parser.parse(bytes) else { return nil }
        return service.answer(request, question: &question)
    }
    let found = try #require(answer)
    return (String(decoding: found.message, as: UTF8.self), found.isLast)
}

extension AuxiliaryResponse {
    func value(of name: String) -> String? { fields.first { $0.name == name }?.value }
}
