import OpenSSL
import Reactor

/// A cache of TLS contexts by their settings: loading the system's roots takes tens of milliseconds
/// and a megabyte or two per combination of settings.
final class ClientContexts: Sendable {
    private let library: TLSLibrary
    // OpenSSL locks a context itself; it stores no sessions in it.
    private let known = Lock<[ClientRequest.Security: TLSContext]>([:])

    /// - Throws: ``OpenSSLError`` if the library is broken.
    init() throws(OpenSSLError) { library = try TLSLibrary() }

    func context(for request: ClientRequest) throws(ClientFailure) -> TLSContext {
        let key = request.security
        let result = known.withLock { known -> Result<TLSContext, OpenSSLError> in
            if let context = known[key] { return .success(context) }
            do throws(OpenSSLError) {
                let context = try TLSContext(
                    role: .client(Self.settings(request)), library: library)
                known[key] = context
                return .success(context)
            } catch {
                return .failure(error)
            }
        }
        do {
            return try result.get()
        } catch {
            throw .local(error.description)
        }
    }

    private static func settings(_ request: ClientRequest) -> TLSClientSettings {
        var settings = TLSClientSettings()
        let isRequired = request.security.verification == .required
        settings.verification = isRequired ? .required : .reported
        settings.actsAsValidator = request.security.actsAsValidator
        settings.offer = request.security.offer
        settings.acceptsCommonName = request.security.acceptsCommonName
        // Report a weak key instead of failing the handshake.
        if !isRequired { settings.securityLevel = 0 }
        settings.certificate = request.security.certificate?.pair
        if let file = request.security.authorityFile {
            settings.trust = request.security.trustsMachine ? .systemAndFile(file) : .file(file)
        }
        return settings
    }
}
