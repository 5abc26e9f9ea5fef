package import HTTP

/// The answers of the listener for challenges: those challenges, and nothing of the site. A pure
/// function.
package struct PlainHTTPResponder: Sendable {
    package let challenges: HTTP01Challenges
    /// Whether everything but challenges and the two association paths is redirected to HTTPS.
    package let redirects: Bool
    /// Whether a host is served. A redirect only leads to a served host, never to just any name in
    /// the `Host` field.
    package let isServed: @Sendable (String) -> Bool

    static let challengePrefix = "/.well-known/acme-challenge/"

    func response(to asked: AuxiliaryRequest) -> AuxiliaryResponse {
        if asked.isUnclear {
            // As on the public listeners: it may have been a device's question.
            return Self.isAssociation(asked.path) ? notHere : .badRequest
        }
        let isReading = asked.method == "GET" || asked.method == "HEAD"
        if let token = Self.token(asked.path) {
            guard isReading, let answer = challenges.answer(to: token) else {
                return AuxiliaryResponse(404, text: "This server has no such challenge.\n")
            }
            // RFC 8555 section 8.3: the body is the key authorization alone.
            return AuxiliaryResponse(200, type: "application/octet-stream", Array(answer.utf8))
        }
        if Self.isAssociation(asked.path) {
            // Never redirected (a device takes a redirect as a "no"), and never sent without TLS.
            return notHere
        }
        let host = asked.authority.map(Self.host)
        guard redirects, let host, isServed(host), asked.target.hasPrefix("/") else {
            return AuxiliaryResponse(
                404, text: "This port answers only the challenges of certificate authorities.\n")
        }
        let place = "https://\(host)\(asked.target)"
        let status = isReading ? 301 : 308
        return AuxiliaryResponse(
            status, text: place + "\n", [HTTPField(name: "Location", value: place)])
    }

    private var notHere: AuxiliaryResponse {
        AuxiliaryResponse(503, text: "This document is served over HTTPS only.\n")
    }

    private static func isAssociation(_ path: String) -> Bool {
        var path = path
        return path.withUTF8 {
            Responder.isAssociationInAnySpelling(UnsafeRawBufferPointer($0))
        }
    }

    private static func token(_ path: String) -> String? {
        path.hasPrefix(challengePrefix) ? String(path.dropFirst(challengePrefix.count)) : nil
    }

    /// Lower case, without port and final dot.
    private static func host(_ authority: String) -> String {
        let bare = authority.prefix { $0 != ":" }
        return (bare.hasSuffix(".") ? bare.dropLast() : bare).lowercased()
    }
}

extension PlainHTTPResponder: AuxiliaryService {
    /// One request per connection: a validator asks once.
    package mutating func answer(_ request: RequestView) -> AuxiliaryAnswer {
        let (responder, asked) = (self, AuxiliaryRequest(request))
        guard !asked.isUnclear, let token = Self.token(asked.path),
            challenges.answer(to: token) == nil, let ticket = challenges.questions.ask()
        else { return response(to: asked).answer(to: asked) }
        return .later(isPatient: false) { [challenges] in
            // When a lookup is marked as done, its result is already there.
            challenges.questions.isAnswered(ticket) || challenges.answer(to: token) != nil
                ? responder.response(to: asked).answer(to: asked) : nil
        }
    }
}
