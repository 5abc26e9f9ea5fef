/// A request that a client sends: no content, fields in exactly this order.
package struct HTTP1Request: Sendable, Equatable {
    package var method: String
    /// The request target, encoded as it goes out (RFC 9112 §3.2).
    package var target: String
    package var fields: [HTTPField]

    package init(method: String = "GET", target: String, fields: [HTTPField]) {
        self.method = method
        self.target = target
        self.fields = fields
    }

    /// What cannot be sent without becoming another message.
    package enum Invalid: Error, Sendable, Hashable {
        case method
        case target
        case field(name: String)
    }

    /// The head as it goes out.
    package func octets() throws(Invalid) -> [UInt8] {
        guard HTTPField.isValid(name: method) else { throw .method }
        guard !target.isEmpty, target.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F }) else {
            throw .target
        }
        var octets = Array("\(method) \(target) HTTP/1.1\r\n".utf8)
        for field in fields {
            guard HTTPField.isValid(name: field.name), HTTPField.isValid(value: field.value) else {
                throw .field(name: field.name)
            }
            octets += Array("\(field.name): \(field.value)\r\n".utf8)
        }
        return octets + [Octet.carriageReturn, Octet.lineFeed]
    }
}
