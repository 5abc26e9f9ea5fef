package import AASAClient
import OpenSSL
import Reactor

/// Sends the state machines' requests with the project's HTTP client. Blocks, within its deadline.
package final class AuthorityClient {
    private let client: HTTPClient
    private let authorityFile: String?
    private let agent: String

    /// - Parameters:
    ///   - authorityFile: additional roots besides the system's, PEM; for a private authority.
    ///   - agent: `User-Agent`, which RFC 8555 section 6.1 requires.
    package init(client: HTTPClient, authorityFile: String?, agent: String) {
        self.client = client
        self.authorityFile = authorityFile
        self.agent = agent
    }

    package func send(_ request: ServerRequest) -> Result<AuthorityResponse, TransportFailure> {
        let url: ServerURL
        do {
            url = try ServerURL(parsing: request.url)
        } catch {
            return .failure(TransportFailure("\(request.url) is not a URL"))
        }
        var sent = ClientRequest(url)
        sent.method = request.method.rawValue
        sent.fields = [(name: "User-Agent", value: agent), (name: "Accept-Language", value: "en")]
        if request.method == .post {
            sent.fields.append((name: "Content-Type", value: ServerRequest.contentType))
            sent.body = request.body
        }
        sent.security.authorityFile = authorityFile
        sent.limits.body = AuthorityResponse.bytesMaximum
        do throws(ClientFailure) {
            let response = try client.send(sent)
            return .success(
                AuthorityResponse(
                    status: response.status, nonce: response.value("Replay-Nonce"),
                    location: response.value("Location"),
                    retryAfter: response.value("Retry-After"),
                    date: response.value("Date"), body: response.body))
        } catch {
            let isTrust: Bool
            switch error {
            case .certificate: isTrust = true
            case .tls(let failure): isTrust = failure.cause == .certificate
            default: isTrust = false
            }
            return .failure(TransportFailure(error.description, isTrust: isTrust))
        }
    }
}
