package import AASAClient
import AppSiteAssociation

/// Why a request to etcd failed.
package enum EtcdFailure: Error, Sendable, Equatable {
    /// No complete response: the request may have taken effect.
    case unanswered(ClientFailure)
    /// The member has no leader, is overloaded or too slow: the request may have taken effect.
    case unavailable(String)
    /// The token is invalid or has expired.
    case unauthenticated(String)
    /// The user has no permission.
    case denied(String)
    /// The lease has expired.
    case leaseGone
    /// The request is invalid.
    case refused(String)
    /// The response is not etcd's.
    case malformed(String)
    /// The client was stopped.
    case stopped

    /// `google.rpc.Code`, as sent by the gateway.
    private enum Code {
        static let deadlineExceeded: Int64 = 4
        static let notFound: Int64 = 5
        static let permissionDenied: Int64 = 7
        static let unauthenticated: Int64 = 16
        static let unavailable: ClosedRange<Int64> = 13...14
    }

    /// `{"error": …, "message": …, "code": 14}`
    init(gateway value: JSONValue) {
        let nested = value["error"]
        let source = nested?.members == nil ? value : nested ?? value
        let text = PeerText.printable(
            source["message"]?.string ?? source["error"]?.string ?? "etcd gave no reason")
        // A stream's error has its code under another name (grpc-gateway, `StreamError`).
        let number = try? EtcdReplyReader.number(source["code"] ?? source["grpc_code"])
        self = EtcdFailure(code: number ?? 2, text)
    }

    init(code: Int64, _ text: String) {
        // A change of users invalidates every token (etcd, `ErrAuthOldRevision`).
        // "user name is empty": a request without a token, after authentication was enabled.
        let words = ["revision of auth store is old", "invalid auth token", "user name is empty"]
        if words.contains(where: { text.contains($0) }) {
            self = .unauthenticated(text)
            return
        }
        switch code {
        case Code.unauthenticated: self = .unauthenticated(text)
        case Code.permissionDenied: self = .denied(text)
        case Code.notFound where text.contains("lease"): self = .leaseGone
        case Code.deadlineExceeded, Code.unavailable: self = .unavailable(text)
        default: self = .refused(text)
        }
    }

    /// A response with a status other than 200.
    package init(status: Int, body: [UInt8]) {
        if let value = try? EtcdReplyReader.object(body), value["code"] != nil {
            self = EtcdFailure(gateway: value)
        } else if status >= 500 {
            self = .unavailable("status \(status)")
        } else {
            self = .malformed("status \(status) without etcd's reason")
        }
    }

    /// Whether another member, or the same one later, may succeed.
    package var isTransient: Bool {
        switch self {
        case .unanswered, .unavailable, .malformed: true
        case .unauthenticated, .denied, .leaseGone, .refused, .stopped: false
        }
    }
}

extension EtcdFailure: CustomStringConvertible {
    package var description: String {
        switch self {
        case .unanswered(let failure): failure.description
        case .unavailable(let text): "etcd cannot answer now: \(text)"
        case .unauthenticated(let text): "etcd rejects the user or its token: \(text)"
        case .denied(let text): "etcd denies this user the request: \(text)"
        case .leaseGone: "the lease has expired"
        case .refused(let text): "etcd refused the request: \(text)"
        case .malformed(let text): "the answer is not etcd's: \(text)"
        case .stopped: "this process is shutting down"
        }
    }

    /// The fix for an operator.
    package var remedy: String {
        switch self {
        case .unanswered(.certificate): "name the authority of etcd's certificates: --etcd-cacert"
        case .unanswered(.tls):
            "if etcd requires a client certificate, name it: --etcd-cert and --etcd-key"
        case .unanswered, .unavailable: "check that etcd runs there: etcdctl endpoint status"
        case .unauthenticated: "check --etcd-user and its password file"
        case .denied: "grant the roles of deploy/fleet/README.md"
        case .leaseGone, .stopped: "nothing to do"
        case .refused: "check the user and etcd's --max-request-bytes"
        case .malformed: "name the client URLs of etcd: --etcd https://HOST:2379"
        }
    }
}
