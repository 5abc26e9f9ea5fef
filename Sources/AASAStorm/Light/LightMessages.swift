/// Parses a server's messages for the light client; nil if one violates RFC 8446.
enum LightMessages {
    /// The result of a ServerHello for a client with one suite and one group.
    enum ServerHello {
        /// The server's key share, 32 bytes.
        case agreed(UnsafeRawBufferPointer)
        /// TLS 1.2, another suite or group, or HelloRetryRequest: valid, but not supported by this
        /// client.
        case needsMore
    }

    /// SHA-256 of "HelloRetryRequest" (RFC 8446 section 4.1.3).
    private static let retryRandom: [UInt8] = [
        0xCF, 0x21, 0xAD, 0x74, 0xE5, 0x9A, 0x61, 0x11, 0xBE, 0x1D, 0x8C, 0x02, 0x1E, 0x65, 0xB8,
        0x91, 0xC2, 0xA2, 0x11, 0x16, 0x7A, 0xBB, 0x8C, 0x5E, 0x07, 0x9E, 0x09, 0xE2, 0xC8, 0xA8,
        0x33, 0x9C,
    ]

    /// - Parameter session: the session id that was sent.
    static func serverHello(
        _ body: UnsafeRawBufferPointer, session: UnsafeRawBufferPointer
    ) -> ServerHello? {
        var reader = LightReader(body)
        guard reader.number(2) == 0x0303, let random = reader.bytes(32),
            let echo = reader.vector(1), let suite = reader.number(2), reader.number(1) == 0
        else { return nil }
        if random.elementsEqual(retryRandom) { return .needsMore }
        // A TLS 1.2 server may omit the extensions.
        guard
            let list = reader.isAtEnd
                ? UnsafeRawBufferPointer(rebasing: body[..<0])
                : reader.vector(2), reader.isAtEnd
        else { return nil }
        var isVersion13 = false
        var share: UnsafeRawBufferPointer?
        var isOtherGroup = false
        var extensions = LightReader(list)
        while !extensions.isAtEnd {
            guard let type = extensions.number(2), let value = extensions.vector(2) else {
                return nil
            }
            var reader = LightReader(value)
            switch type {
            case 43: isVersion13 = reader.number(2) == 0x0304 && reader.isAtEnd
            case 51:
                guard let group = reader.number(2), let key = reader.vector(2), reader.isAtEnd
                else { return nil }
                if group == 0x001D { share = key } else { isOtherGroup = true }
            default: return nil
            }
        }
        guard isVersion13 else { return .needsMore }
        guard echo.elementsEqual(session) else { return nil }
        guard suite == 0x1301, !isOtherGroup else { return .needsMore }
        guard let share, share.count == 32 else { return nil }
        return .agreed(share)
    }

    /// The application protocol in EncryptedExtensions; empty if none was selected.
    static func applicationProtocol(
        _ body: UnsafeRawBufferPointer
    ) -> UnsafeRawBufferPointer? {
        var reader = LightReader(body)
        guard let list = reader.vector(2), reader.isAtEnd else { return nil }
        var chosen = UnsafeRawBufferPointer(rebasing: body[..<0])
        var extensions = LightReader(list)
        while !extensions.isAtEnd {
            guard let type = extensions.number(2), let value = extensions.vector(2) else {
                return nil
            }
            if type != 16 { continue }
            var reader = LightReader(value)
            guard let names = reader.vector(2), reader.isAtEnd else { return nil }
            var name = LightReader(names)
            guard let one = name.vector(1), !one.isEmpty, name.isAtEnd else { return nil }
            chosen = one
        }
        return chosen
    }

    /// The certificates, leaf first.
    static func certificates(_ body: UnsafeRawBufferPointer) -> [[UInt8]]? {
        var reader = LightReader(body)
        guard reader.number(1) == 0, let list = reader.vector(3), reader.isAtEnd else { return nil }
        var chain: [[UInt8]] = []
        var entries = LightReader(list)
        while !entries.isAtEnd {
            guard let certificate = entries.vector(3), !certificate.isEmpty,
                entries.vector(2) != nil
            else { return nil }
            chain.append(Array(certificate))
        }
        return chain.isEmpty ? nil : chain
    }

    /// Scheme and signature of a CertificateVerify.
    static func signature(
        _ body: UnsafeRawBufferPointer
    ) -> (scheme: UInt16, bytes: UnsafeRawBufferPointer)? {
        var reader = LightReader(body)
        guard let scheme = reader.number(2), let bytes = reader.vector(2), reader.isAtEnd else {
            return nil
        }
        return (UInt16(scheme), bytes)
    }

    /// The content that the server signs (RFC 8446 section 4.4.3).
    static func signedContent(_ transcript: SIMD4<UInt64>) -> [UInt8] {
        [UInt8](repeating: 0x20, count: 64) + Array("TLS 1.3, server CertificateVerify".utf8) + [0]
            + withUnsafeBytes(of: transcript) { Array($0) }
    }
}
