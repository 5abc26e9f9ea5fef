package import OpenSSL

/// What all light sessions of one thread share: the key share, the ciphers, the ClientHello, what
/// was seen of the server's chain, and the bytes that go in and out.
///
/// A client of TLS 1.3 for load tests alone: AES-128-GCM with SHA-256, X25519, no resumption. It
/// spends a fraction of what OpenSSL's client does, because it makes its key once instead of per
/// connection, verifies each chain once, and signatures on a sample. Whoever needs a client to
/// trust uses another one.
package final class LightClient {
    /// What is checked of the server's certificate.
    package struct Check {
        package var trust: TLSClientSettings.Trust
        /// The name that the certificate has to be for.
        package var name: String

        package init(trust: TLSClientSettings.Trust, name: String) {
            self.trust = trust
            self.name = name
        }
    }

    /// Chains that are remembered: a storm sees one or two, and a few renewals.
    private static let chainsMaximum = 16
    /// The longest plaintext of a record, and what encryption adds (RFC 8446 section 5.2).
    static let recordMaximum = 16_384 + 256

    let key: X25519Key
    let cipher: RecordCipher
    let hello: LightHello
    let protocols: [[UInt8]]
    private let proof: ServerProof?
    /// Bodies of Certificate messages that were found good, each with its leaf.
    private var goodChains: [(message: [UInt8], leaf: [UInt8])] = []

    /// Ciphertext of this turn that no session has read yet.
    private(set) var input = UnsafeRawBufferPointer(start: nil, count: 0)
    var outgoing = LightOutput()
    /// Where records are decrypted to.
    let plaintext = UnsafeMutableRawBufferPointer.allocate(
        byteCount: LightClient.recordMaximum, alignment: 16)

    /// Chains that were verified in full, and signatures that were.
    package private(set) var chainsChecked = 0
    package private(set) var signaturesChecked = 0

    /// - Parameters:
    ///   - serverName: for SNI; nil for an address.
    ///   - check: nil: the certificate is not looked at.
    /// - Throws: ``OpenSSLError`` where the roots cannot be read, or memory is short.
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
            proof = try ServerProof(trust: check.trust, name: check.name, library: library)
        } else {
            proof = nil
        }
    }

    deinit { plaintext.deallocate() }

    // MARK: - The wire

    /// Offers the bytes just received to the session that is called next. They are read in place.
    package func receive(_ bytes: UnsafeRawBufferPointer) { input = bytes }

    /// Bytes offered and not yet read by a session.
    package var unreadCount: Int { input.count }

    /// What has to be sent. Valid until the next call.
    package var output: UnsafeRawBufferPointer { outgoing.bytes }
    package func clearOutput() { outgoing.clear() }

    /// Takes so many bytes of the input.
    func take(_ count: Int) -> UnsafeRawBufferPointer {
        let taken = UnsafeRawBufferPointer(rebasing: input[..<count])
        input = UnsafeRawBufferPointer(rebasing: input[count...])
        return taken
    }

    // MARK: - The server's certificate

    var checksCertificates: Bool { proof != nil }

    /// The leaf of a chain that is good, or nil: the same bytes are verified once.
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
