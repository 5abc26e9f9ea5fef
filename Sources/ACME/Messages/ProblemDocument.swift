package import AppSiteAssociation

/// A problem document (RFC 9457) of an authority: the error and its reason.
package struct ProblemDocument: Error, Sendable, Hashable {
    /// The types of RFC 8555 section 6.7, and RFC 9773's.
    package enum Kind: String, Sendable, Hashable, CaseIterable {
        case accountDoesNotExist
        case alreadyRevoked
        case alreadyReplaced
        case badCSR
        case badNonce
        case badPublicKey
        case badRevocationReason
        case badSignatureAlgorithm
        case caa
        case compound
        case connection
        case dns
        case externalAccountRequired
        case incorrectResponse
        case invalidContact
        case invalidProfile
        case malformed
        case orderNotReady
        case rateLimited
        case rejectedIdentifier
        case serverInternal
        case tls
        case unauthorized
        case unsupportedContact
        case unsupportedIdentifier
        case userActionRequired
        /// Any other type, or none: see ``ProblemDocument/type``.
        case other
    }

    package let kind: Kind
    /// The type as received.
    package let type: String
    /// The authority's text, sanitized for a terminal and truncated to 500 characters.
    package let detail: String
    /// The affected name, in a subproblem.
    package let identifier: String?
    package let subproblems: [ProblemDocument]

    private static let prefix = "urn:ietf:params:acme:error:"

    package init(
        _ kind: Kind, _ detail: String, identifier: String? = nil,
        subproblems: [ProblemDocument] = []
    ) {
        self.kind = kind
        type = Self.prefix + kind.rawValue
        self.detail = detail
        self.identifier = identifier
        self.subproblems = subproblems
    }

    /// Parses the error of a response, an order or a challenge. Missing members are ignored: an
    /// error about an error would not help.
    ///
    /// - Parameter depth: subproblems have no subproblems (RFC 8555 section 6.7.1).
    package init(_ value: JSONValue, depth: Int = 0) {
        type = AuthorityText.clean(value["type"]?.string ?? "", 200)
        let name =
            type.hasPrefix(Self.prefix)
            ? String(type.dropFirst(Self.prefix.count)) : type
        kind = Kind(rawValue: name) ?? .other
        detail = AuthorityText.clean(value["detail"]?.string ?? value["title"]?.string ?? "", 500)
        identifier = value["identifier"]?["value"]?.string.map { AuthorityText.clean($0, 253) }
        let list = depth == 0 ? value["subproblems"]?.array ?? [] : []
        subproblems = list.prefix(100).map { ProblemDocument($0, depth: 1) }
    }

    /// The subproblem, if the problem is only a container for them.
    package var cause: ProblemDocument {
        guard kind == .compound || kind == .malformed || kind == .other else { return self }
        return subproblems.first ?? self
    }

    /// The names with a subproblem.
    package var names: [String] { subproblems.compactMap(\.identifier) }

    /// The names of an order that are refused for themselves. Authorities that refuse one name
    /// give no subproblem, and put it into quotes.
    ///
    /// - Parameter ordered: the names of the order.
    func refusedNames(of ordered: [String]) -> [String] {
        guard [.rejectedIdentifier, .unsupportedIdentifier, .caa].contains(cause.kind) else {
            return []
        }
        let known = (names + [identifier].compactMap(\.self)).map { $0.lowercased() }
        if !known.isEmpty { return ordered.filter(known.contains) }
        let text = detail.lowercased()
        return ordered.filter { text.contains("\"\($0)\"") || text.contains("'\($0)'") }
    }
}

extension ProblemDocument: CustomStringConvertible {
    package var description: String {
        let name = kind == .other ? (type.isEmpty ? "an error" : type) : kind.rawValue
        var text = detail.isEmpty ? name : "\(name): \(detail)"
        if subproblems.count == 1, let only = subproblems.first, only.detail == detail {
            return text
        }
        for problem in subproblems.prefix(5) {
            text += "; \(problem.identifier.map { "\($0): " } ?? "")\(problem)"
        }
        return text
    }
}

/// Checks a peer's text, and sanitizes it for a log or a terminal.
package enum AuthorityText {
    /// Whether a text has only the characters of Base64 for URLs.
    static func isBase64ForURL(_ text: String) -> Bool {
        text.utf8.allSatisfy {
            $0 == 45 || $0 == 95 || (48...57).contains($0) || (65...90).contains($0)
                || (97...122).contains($0)
        }
    }

    package static func clean(_ text: String, _ maximum: Int) -> String {
        var cleaned = String(
            String.UnicodeScalarView(
                text.unicodeScalars.prefix(maximum).map {
                    $0.properties.generalCategory == .control
                        || $0.properties.generalCategory == .format ? " " : $0
                }))
        if text.unicodeScalars.count > maximum { cleaned += "…" }
        return cleaned
    }
}
