/// One field of a message, with name and value as on the wire (RFC 9110 §5).
package struct HTTPField: Sendable, Hashable {
    package var name: String
    package var value: String

    package init(name: String, value: String) {
        self.name = name
        self.value = value
    }

    /// Whether `name` is a token, as every field name must be (RFC 9110 §5.1).
    package static func isValid(name: String) -> Bool {
        !name.isEmpty && name.utf8.allSatisfy(Octet.isToken)
    }

    /// Whether `value` has no control octet and no space at either end (RFC 9110 §5.5).
    package static func isValid(value: String) -> Bool {
        let octets = value.utf8
        if let first = octets.first, Octet.isWhitespace(first) { return false }
        if let last = octets.last, Octet.isWhitespace(last) { return false }
        return !octets.contains(where: Octet.isControl)
    }
}
