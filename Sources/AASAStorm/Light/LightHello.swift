/// The ClientHello of all sessions of one thread: built once, with new random bytes each time.
struct LightHello {
    /// The record, with zeros for random and session id.
    private let record: [UInt8]

    private static let headerBytes = 5
    /// After the headers of record and message, and the version.
    private static let randomOffset = 11
    private static let sessionOffset = 44
    static let sessionBytes = 32

    /// - Parameters:
    ///   - serverName: for SNI; nil for an address, which RFC 6066 section 3 does not allow.
    ///   - protocols: for ALPN, in order.
    ///   - publicKey: X25519.
    init(serverName: String?, protocols: [String], publicKey: [UInt8]) {
        var body: [UInt8] = [3, 3]
        body += [UInt8](repeating: 0, count: 32)
        body.append(UInt8(Self.sessionBytes))
        body += [UInt8](repeating: 0, count: Self.sessionBytes)
        // TLS_AES_128_GCM_SHA256, and no compression.
        body += [0, 2, 0x13, 0x01, 1, 0]
        body += Self.withLength(Self.extensions(serverName, protocols, publicKey))
        let count = body.count
        let message = [1, 0, UInt8(count >> 8), UInt8(count & 0xFF)] + body
        record = [22, 3, 1] + Self.withLength(message)
    }

    private static func extensions(
        _ serverName: String?, _ protocols: [String], _ publicKey: [UInt8]
    ) -> [UInt8] {
        var bytes: [UInt8] = []
        func add(_ type: UInt16, _ body: [UInt8]) {
            bytes += [UInt8(type >> 8), UInt8(type & 0xFF)] + withLength(body)
        }
        if let serverName {
            add(0, withLength([0] + withLength(Array(serverName.utf8))))
        }
        // supported_groups: only X25519, as there is one key share.
        add(10, [0, 2, 0, 0x1D])
        add(13, withLength(signatureAlgorithms.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }))
        if !protocols.isEmpty {
            add(16, withLength(protocols.flatMap { [UInt8($0.utf8.count)] + Array($0.utf8) }))
        }
        // supported_versions: TLS 1.3.
        add(43, [2, 3, 4])
        // key_share.
        add(51, withLength([0, 0x1D] + withLength(publicKey)))
        return bytes
    }

    /// The schemes that ``SignatureScheme`` verifies, in the order of phones.
    private static let signatureAlgorithms: [UInt16] = [0x0403, 0x0804, 0x0503, 0x0805, 0x0806]

    private static func withLength(_ bytes: [UInt8]) -> [UInt8] {
        [UInt8(bytes.count >> 8), UInt8(bytes.count & 0xFF)] + bytes
    }

    /// Appends the record to `output`.
    ///
    /// - Parameter random: 64 bytes: the random and the session id, which the server echoes.
    func write(_ random: SIMD8<UInt64>, to output: inout LightOutput) {
        output.append(record.count) { bytes in
            bytes.copyBytes(from: record)
            withUnsafeBytes(of: random) { random in
                UnsafeMutableRawBufferPointer(
                    rebasing: bytes[Self.randomOffset..<(Self.randomOffset + 32)]
                ).copyMemory(from: UnsafeRawBufferPointer(rebasing: random[..<32]))
                UnsafeMutableRawBufferPointer(
                    rebasing: bytes[Self.sessionOffset..<(Self.sessionOffset + 32)]
                ).copyMemory(from: UnsafeRawBufferPointer(rebasing: random[32...]))
            }
        }
    }

    /// The message that ``write(_:to:)`` has just appended: the start of the transcript.
    func message(in output: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(
            rebasing: output[(output.count - record.count + Self.headerBytes)...])
    }
}

/// The output buffer: grows and keeps its capacity.
struct LightOutput: ~Copyable {
    private var storage: UnsafeMutableRawBufferPointer
    private(set) var count = 0

    init(capacity: Int = 16 * 1024) {
        storage = .allocate(byteCount: capacity, alignment: 16)
    }

    deinit { storage.deallocate() }

    /// Valid until the next change.
    var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: storage[..<count]) }

    mutating func append(_ length: Int, _ fill: (UnsafeMutableRawBufferPointer) -> Void) {
        if count + length > storage.count {
            let larger = UnsafeMutableRawBufferPointer.allocate(
                byteCount: max(count + length, storage.count * 2), alignment: 16)
            larger.copyMemory(from: bytes)
            storage.deallocate()
            storage = larger
        }
        fill(UnsafeMutableRawBufferPointer(rebasing: storage[count..<(count + length)]))
        count += length
    }

    mutating func clear() { count = 0 }
}
