package import OpenSSL

/// The state that all light sessions of one thread share: key share, ciphers, ClientHello, verified
/// chains, and the input and output buffers.
///
/// A TLS 1.3 client for load tests only: AES-128-GCM with SHA-256, X25519, no resumption. It costs
/// a fraction of OpenSSL's client: it generates one key instead of one per connection, verifies
/// each chain once, and verifies signatures on a sample. Do not use it where security matters.
package final class LightClient {
    /// What to verify of the server's certificate.
    package struct Check {
        package var trust: TLSClientSettings.Trust
        /// The name that the certificate must cover.
        package var name: String

        package init(trust: TLSClientSettings.Trust, name: String) {
            self.trust = trust
            self.name = name
        }
    }

    /// Maximum of cached chains: a storm sees one or two, and a few renewals.
    private static let chainsMaximum = 16
    /// The longest plaintext of a record, plus the overhead of encryption (RFC 8446 section 5.2).
    static let recordMaximum = 16_384 + 256

    let key: X25519Key
    let cipher: RecordCipher
    let hello: LightHello
    let protocols: [[UInt8]]
    private let proof: ServerVerifier?
    /// Bodies of verified Certificate messages, each with its leaf.
    private var goodChains: [(message: [UInt8], leaf: [UInt8])] = []

    /// Ciphertext of this turn that no session has read yet.
    private(set) var input = UnsafeRawBufferPointer(start: nil, count: 0)
    var outgoing = LightOutput()
    /// The buffer for decrypted records.
    let plaintext = UnsafeMutableRawBufferPointer.allocate(
        byteCount: LightClient.recordMaximum, alignment: 16)

    /// The number of chains and of signatures that were verified.
    package private(set) var chainsChecked = 0
    package private(set) var signaturesChecked = 0

    /// - Parameters:
    ///   - serverName: for SNI; nil for an address.
    ///   - check: nil to verify nothing.
    /// - Throws: ``OpenSSLError`` if the roots cannot be read, or memory is short.
    package init(
        serverName: String?, protocols: [TLSApplicationProtocol], check: Check?,
        library: TLSLibrary
    ) throws(OpenSSLError) {
        key = try X25519Key(library: library)
        cipher = try RecordCipher(library: library)
        hello = LightHello(
            serverName: serverName, protocols: protocols.map(\.rawValue), publicKey: key.publicKey)
        self.protocols = protocols.map { Array($0.rawValue.utf8) }
        if let check {
            proof = try ServerVerifier(trust: check.trust, name: check.name, library: library)
        } else {
            proof = nil
        }
    }

    deinit { plaintext.deallocate() }

    // MARK: - The wire

    /// Provides received bytes to the next session that is called. They are read in place.
    package func receive(_ bytes: UnsafeRawBufferPointer) { input = bytes }

    /// Bytes provided but not yet read by a session.
    package var unreadCount: Int { input.count }

    /// The bytes to send. Valid until the next call.
    package var output: UnsafeRawBufferPointer { outgoing.bytes }
    package func clearOutput() { outgoing.clear() }

    /// Consumes this many bytes of the input.
    func take(_ count: Int) -> UnsafeRawBufferPointer {
        let taken = UnsafeRawBufferPointer(rebasing: input[..<count])
        input = UnsafeRawBufferPointer(rebasing: input[count...])
        return taken
    }

    // MARK: - The server's certificate

    var checksCertificates: Bool { proof != nil }

    /// The leaf of a valid chain, or nil: identical bytes are verified once.
    func goodLeaf(of message: UnsafeRawBufferPointer) -> [UInt8]? {
        if let known = goodChains.first(where: {
            $0.message.count == message.count
                && $0.message.elementsEqual(message)
        }) {
            return known.leaf
        }
        guard let proof, let chain = LightMessages.certificates(message), let leaf = chain.first
        else { return nil }
        chainsChecked += 1
        guard proof.accepts(chain) else { return nil }
        if goodChains.count == Self.chainsMaximum { goodChains.removeFirst() }
        goodChains.append((Array(message), leaf))
        return leaf
    }

    func verifies(
        _ signature: UnsafeRawBufferPointer, by leaf: [UInt8], scheme: UInt16, of content: [UInt8]
    ) -> Bool {
        signaturesChecked += 1
        return content.withUnsafeBytes {
            proof?.verifies(signature, by: leaf, scheme: scheme, of: $0) ?? false
        }
    }
}
