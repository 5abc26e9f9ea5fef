import HTTP

/// The answer to a request.
struct Answer {
    let response: PreparedResponse
    /// How the worker counts it.
    let counter: Counter
    /// The host that counts it, and how; `nil` if no host is concerned.
    var host: ServedHost?
    var hostAnswer = HostCounters.Answer.notFound
}

/// Finds the answer to a request. Pure: the request, the snapshot and the shedding verdict go in,
/// prebuilt bytes come out.
///
/// The two association paths get 200 with the whole document, or 503, whatever the method, the
/// conditions (`If-*`), the range or the expectation: a device takes every 3xx and 4xx as a final
/// "no" (overload.md section 9). Every spelling that RFC 3986 section 6.2.2 treats as equivalent is
/// the same path. Any other path that is not a sibling gets 404. A request without a host, or with
/// an impossible one, gets 400 (RFC 9112 section 3.2), and so does a message that cannot be read,
/// except on the two paths: there it gets 503.
enum Responder {
    static let wellKnownPath: StaticString = "/.well-known/apple-app-site-association"
    static let rootPath: StaticString = "/apple-app-site-association"

    /// Whether a path is one of the two, in any spelling.
    static func isAssociationInAnySpelling(_ path: UnsafeRawBufferPointer) -> Bool {
        isAssociation(path) || RequestPath.withNormalForm(of: path, isAssociation)
    }

    /// - Parameters:
    ///   - serverName: the name in SNI, asked for when the request itself names no host.
    ///   - shed: why a document of so many bytes must not be sent now, or nil; called for
    ///     association paths only.
    static func answer(
        _ request: RequestView, snapshot: Snapshot, serverName: @autoclosure () -> String?,
        shed: (_ bytes: Int) -> Counter?
    ) -> Answer {
        if let fault = request.fault, !fault.isAnswered {
            let response = error(for: fault, path: request.path, snapshot)
            return Answer(
                response: response,
                counter: response.status == 503 ? .shedRequest : .answersBadRequest)
        }
        // Nearly every request uses the canonical spelling of the path.
        if isAssociation(request.path) {
            return answer(
                request, path: request.path, host: host(of: request, snapshot, serverName),
                snapshot: snapshot, shed: shed)
        }
        return RequestPath.withNormalForm(of: request.path) {
            answer(
                request, path: $0, host: host(of: request, snapshot, serverName),
                snapshot: snapshot, shed: shed)
        }
    }

    private static func error(
        for fault: RejectReason, path: UnsafeRawBufferPointer, _ snapshot: Snapshot
    ) -> PreparedResponse {
        // Something between the device and us may have damaged its request.
        if isAssociationInAnySpelling(path) { return snapshot.unavailable }
        return fault == .requestLineTooLong ? snapshot.targetTooLong : snapshot.badRequest
    }

    /// A name in the request decides, known or not. Without one (HTTP/1.0, an empty Host, a Host
    /// behind the limit on heads) the client has still said in its handshake which host it wants,
    /// and has seen that host's certificate.
    private static func host(
        of request: RequestView, _ snapshot: Snapshot, _ serverName: () -> String?
    ) -> ServedHost? {
        if let authority = request.authority, !authority.isEmpty {
            return snapshot.host(named: authority).map { snapshot.answering[$0] }
        }
        return serverName().flatMap { snapshot.host(named: $0) }
            ?? snapshot.defaultHost.map { snapshot.hosts[$0] }
    }

    private static func isAssociation(_ path: UnsafeRawBufferPointer) -> Bool {
        path.equals(wellKnownPath) || path.equals(rootPath)
    }

    private static func answer(
        _ request: RequestView, path: UnsafeRawBufferPointer, host: ServedHost?,
        snapshot: Snapshot, shed: (_ bytes: Int) -> Counter?
    ) -> Answer {
        if isAssociation(path) {
            guard let host else {
                return Answer(response: snapshot.unavailable, counter: .shedRequest)
            }
            let (response, kind) = host.association.response(userAgent: request.userAgent)
            if let counter = shed(response.body.count) {
                return Answer(
                    response: snapshot.unavailable, counter: counter, host: host,
                    hostAnswer: .unavailable)
            }
            return Answer(
                response: response,
                counter: response.status == 200 ? .answersDocument : .shedDocument, host: host,
                hostAnswer: kind)
        }
        if let host, let sibling = host.sibling(at: path) {
            return Answer(
                response: sibling, counter: .answersSibling, host: host, hostAnswer: .sibling)
        }
        return Answer(response: snapshot.notFound, counter: .answersNotFound, host: host)
    }
}
