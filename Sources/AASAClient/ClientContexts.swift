package import OpenSSL
import Reactor

/// A cache of TLS contexts by their settings. The clients of many threads may share one: loading
/// the system's roots takes tens of milliseconds and a megabyte or two per combination of settings.
package final class ClientContexts: Sendable {
    struct Key: Hashable {
        var security: ClientRequest.Security
        var version: ClientRequest.Version
    }

    private let library: TLSLibrary
    // OpenSSL locks a context itself; it stores no sessions in it.
    private let known = Lock<[Key: TLSContext]>([:])

    /// - Throws: ``OpenSSLError`` if the library is broken.
    package init() throws(OpenSSLError) { library = try TLSLibrary() }

    func context(for request: ClientRequest) throws(ClientFailure) -> TLSContext {
        let key = Key(security: request.security, version: request.version)
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
        settings.protocols = request.version == .http2 ? [.http2, .http11] : [.http11]
        settings.actsAsValidator = request.security.actsAsValidator
        settings.minimumVersion = request.security.minimumVersion
        settings.maximumVersion = request.security.maximumVersion
        settings.signatureAlgorithms = request.security.signatureAlgorithms
        settings.cipherList = request.security.cipherList
        // Report a weak key instead of failing the handshake.
        if !isRequired { settings.securityLevel = 0 }
        settings.certificate = request.security.certificate?.pair
        if let file = request.security.authorityFile {
            settings.trust = request.security.trustsMachine ? .systemAndFile(file) : .file(file)
        }
        return settings
    }
}
