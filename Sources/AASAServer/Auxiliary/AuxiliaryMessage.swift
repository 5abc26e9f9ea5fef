package import HTTP

/// A request to an auxiliary listener, as far as an answer depends on it.
package struct AuxiliaryRequest {
    package let method: String
    /// As sent, with its query.
    package let target: String
    package let path: String
    package let authority: String?
    package let authorization: [UInt8]?
    /// Chooses the format of the metrics.
    package let accept: [UInt8]?
    /// Something that decides was not read: fields behind the limit may name the host or hold the
    /// token.
    var isUnclear = false
}

extension AuxiliaryRequest {
    init(_ request: RequestView) {
        method = String(decoding: request.methodName, as: UTF8.self)
        target = String(decoding: request.target, as: UTF8.self)
        path = String(decoding: request.path, as: UTF8.self)
        authority = request.authority.map { String(decoding: $0, as: UTF8.self) }
        authorization = request.authorization.map { Array($0) }
        accept = request.accept.map { Array($0) }
        isUnclear = request.fault.map { !$0.isAnswered || $0 == .headTooLarge } ?? false
    }
}

/// The response of an auxiliary listener, after which its connection ends.
package struct AuxiliaryResponse: Sendable, Equatable {
    package let status: Int
    package let fields: [HTTPField]
    package let body: [UInt8]
}

extension AuxiliaryResponse {
    /// A response with the fields that all our pages have.
    package init(_ status: Int, type: String, _ body: [UInt8], _ more: [HTTPField] = []) {
        var fields = [HTTPField(name: "Content-Type", value: type)] + more
        for (name, value) in [
            ("Cache-Control", "no-store"), ("X-Content-Type-Options", "nosniff"),
            ("X-Frame-Options", "DENY"), ("Referrer-Policy", "no-referrer"),
            ("Cross-Origin-Resource-Policy", "same-origin"),
        ] { fields.append(HTTPField(name: name, value: value)) }
        self.init(status: status, fields: fields, body: body)
    }

    package init(_ status: Int, text: String, _ more: [HTTPField] = []) {
        self.init(status, type: "text/plain; charset=utf-8", Array(text.utf8), more)
    }

    /// The whole message; the connection ends after it.
    func answer(to asked: AuxiliaryRequest) -> AuxiliaryAnswer {
        .message(serialized(headOnly: asked.method == "HEAD"), isLast: true)
    }

    static let badRequest = AuxiliaryResponse(400, text: "The request is not valid HTTP.\n")

    /// The message as it is sent (RFC 9112); the connection ends after it.
    ///
    /// - Parameter headOnly: for HEAD: the body is omitted, but Content-Length still gives its
    ///   length.
    package func serialized(headOnly: Bool) -> [UInt8] {
        HTTP1ResponseWriter.message(status: status, fields: fields, body: body, headOnly: headOnly)
    }
}
