package import AppSiteAssociation

/// The relevant parts of an authority's response.
package struct AuthorityResponse: Sendable, Hashable {
    package let status: Int
    var nonce: String?
    var location: String?
    /// `Retry-After`, as received.
    var retryAfter: String?
    /// `Date`, as received.
    var date: String?
    var body: [UInt8] = []

    package var isSuccess: Bool { (200..<300).contains(status) }

    /// Responses have a few KB; a chain of ten certificates is below 64 KB.
    package static let bytesMaximum = 256 * 1024

    package func json(_ what: String) throws(InvalidResponse) -> JSONValue {
        do {
            return try JSONReader.read(
                SourceText(name: what, bytes: body),
                limits: JSONLimits(bytesMaximum: Self.bytesMaximum, depthMaximum: 32)
            ).root
        } catch {
            throw InvalidResponse("\(what) cannot be read: \(error.message)")
        }
    }

    /// The authority's error, or one made from the status.
    package var problem: ProblemDocument {
        if let value = try? json("the error"), value.members != nil {
            let problem = ProblemDocument(value)
            if !problem.type.isEmpty || !problem.detail.isEmpty { return problem }
        }
        switch status {
        case 429: return ProblemDocument(.rateLimited, "HTTP status 429")
        case 500...: return ProblemDocument(.serverInternal, "HTTP status \(status)")
        default: return ProblemDocument(.other, "HTTP status \(status)")
        }
    }

    /// Seconds to wait according to `Retry-After`; nil without one.
    package func seconds(toWait now: Int64) -> Int64? { Timestamp.retryAfter(retryAfter, now: now) }
}

/// Why there is no response: the message of the network or the client.
package struct TransportFailure: Error, Sendable, Hashable, CustomStringConvertible {
    package let description: String
    /// Whether the authority's own certificate was rejected: a wrong clock, or a missing root.
    package let isTrust: Bool

    package init(_ description: String, isTrust: Bool = false) {
        self.description = description
        self.isTrust = isTrust
    }
}
