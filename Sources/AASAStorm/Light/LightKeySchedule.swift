import OpenSSL

/// The secrets of one connection (RFC 8446 section 7.1), for SHA-256 without a pre-shared key.
struct LightKeySchedule {
    /// A label of `HKDF-Expand-Label` as encoded: `tls13 ` and the name.
    struct Label {
        let bytes: [UInt8]

        init(_ name: String) {
            let text = Array("tls13 \(name)".utf8)
            bytes = [UInt8(text.count)] + text
        }

        static let derived = Label("derived")
        static let clientHandshake = Label("c hs traffic")
        static let serverHandshake = Label("s hs traffic")
        static let clientApplication = Label("c ap traffic")
        static let serverApplication = Label("s ap traffic")
        static let finished = Label("finished")
        static let update = Label("traffic upd")
        static let key = Label("key")
        static let iv = Label("iv")
    }

    /// The digest of the empty string.
    private static let empty = SHA256State().digest
    /// Derived from the early secret, which is constant without a pre-shared key.
    private static let derivedEarly = expand(
        extract(salt: Block256(), secret: Block256()), .derived, empty)

    private let handshakeSecret: Block256
    let client: Block256
    let server: Block256

    /// - Parameters:
    ///   - shared: the shared secret of the key exchange.
    ///   - transcript: up to the ServerHello.
    init(shared: Block256, transcript: Block256) {
        handshakeSecret = Self.extract(salt: Self.derivedEarly, secret: shared)
        client = Self.expand(handshakeSecret, .clientHandshake, transcript)
        server = Self.expand(handshakeSecret, .serverHandshake, transcript)
    }

    /// The application traffic secrets.
    ///
    /// - Parameter transcript: up to the server's Finished.
    func application(transcript: Block256) -> (client: Block256, server: Block256) {
        let salt = Self.expand(handshakeSecret, .derived, Self.empty)
        let master = Self.extract(salt: salt, secret: Block256())
        return (
            Self.expand(master, .clientApplication, transcript),
            Self.expand(master, .serverApplication, transcript)
        )
    }

    /// The verify_data of a Finished (section 4.4.4).
    static func finished(_ secret: Block256, transcript: Block256) -> Block256 {
        withUnsafeBytes(of: transcript) {
            SHA256State.hmac(key: expand(secret, .finished, nil), $0)
        }
    }

    /// The next secret after a KeyUpdate (section 7.2).
    static func updated(_ secret: Block256) -> Block256 { expand(secret, .update, nil) }

    /// The key of one direction.
    static func recordKey(_ secret: Block256) -> RecordCipher.Key {
        let key = expand(secret, .key, nil, count: 16)
        let iv = expand(secret, .iv, nil, count: 12)
        // Twelve bytes after four zero bytes.
        return RecordCipher.Key(
            key: key.lowHalf,
            iv: SIMD2((iv[0] << 32), (iv[0] >> 32) | (iv[1] << 32)))
    }

    private static func extract(salt: Block256, secret: Block256) -> Block256 {
        withUnsafeBytes(of: secret) { SHA256State.hmac(key: salt, $0) }
    }

    /// HKDF-Expand-Label; the output is at most one block.
    static func expand(
        _ secret: Block256, _ label: Label, _ context: Block256?, count: Int = 32
    ) -> Block256 {
        withUnsafeTemporaryAllocation(byteCount: 80, alignment: 8) { info in
            var end = 0
            func add(_ byte: UInt8) {
                info[end] = byte
                end += 1
            }
            add(0)
            add(UInt8(count))
            for byte in label.bytes { add(byte) }
            add(context == nil ? 0 : 32)
            if let context {
                withUnsafeBytes(of: context) { for byte in $0 { add(byte) } }
            }
            // The block number (RFC 5869 section 2.3).
            add(1)
            return SHA256State.hmac(
                key: secret, UnsafeRawBufferPointer(rebasing: info[..<end]))
        }
    }
}
