/// Decodes the content codings (RFC 9110 section 8.4) of a body: gzip and deflate.
package enum ContentDecoder {
    package enum Failure: Error, Hashable, Sendable {
        /// A coding that is not supported, such as `br`.
        case unknown(String)
        case damaged(String)
        /// The decoded body exceeds this many bytes.
        case tooLarge(Int)
    }

    /// Maximum of stacked codings: one is usual, two are a misconfigured proxy, more are an attack
    /// on processor time.
    static let codingsMaximum = 3

    /// Decodes a body.
    ///
    /// - Parameters:
    ///   - codings: the values of Content-Encoding, in order.
    ///   - maximum: of decoded bytes, per coding: a small body may inflate to a thousand times its
    ///     size.
    package static func decode(
        _ body: [UInt8], codings: [String], maximum: Int
    ) throws(Failure) -> [UInt8] {
        let names = names(codings)
        guard names.count <= codingsMaximum else { throw .damaged("\(names.count) nested codings") }
        var bytes = body
        for name in names.reversed() {
            switch name {
            case "gzip", "x-gzip": bytes = try gunzip(bytes, maximum)
            case "deflate": bytes = try inflate(bytes, maximum)
            default: throw .unknown(name)
            }
        }
        return bytes
    }

    /// The codings of a field's values, without `identity`, in lower case.
    package static func names(_ values: [String]) -> [String] {
        values.flatMap { $0.split(separator: ",") }.map {
            $0.filter { $0 != " " && $0 != "\t" }.lowercased()
        }.filter { !$0.isEmpty && $0 != "identity" }
    }

    /// IANA's registry of content codings, without `identity`.
    private static let registered: Set = [
        "aes128gcm", "br", "compress", "dcb", "dcz", "deflate", "exi", "gzip", "pack200-gzip",
        "x-compress", "x-gzip", "zstd",
    ]

    /// Whether a name from ``names(_:)`` is a content coding at all. What is none, such as `utf-8`,
    /// or the `aws-chunked` that an upload to S3 left behind, says nothing about the bytes.
    package static func isCoding(_ name: String) -> Bool { registered.contains(name) }

    // MARK: - gzip (RFC 1952)

    private static func gunzip(_ bytes: [UInt8], _ maximum: Int) throws(Failure) -> [UInt8] {
        var output: [UInt8] = []
        var rest = bytes[...]
        repeat {
            rest = try withoutHeader(rest)
            var inflate = Inflate(rest, maximum: maximum - output.count)
            let end: Int
            do throws(Failure) {
                end = try inflate.run()
            } catch {
                if case .tooLarge = error { throw .tooLarge(maximum) }
                throw error
            }
            guard rest.endIndex - end >= 8 else { throw .damaged("it is cut short") }
            let size = UInt32(truncatingIfNeeded: inflate.output.count)
            guard word(rest, end) == CRC32.of(inflate.output) else {
                throw .damaged("its checksum does not match")
            }
            guard word(rest, end + 4) == size else { throw .damaged("its size does not match") }
            output += inflate.output
            rest = rest[(end + 8)...]
            // A body may have several members. Anything else after a member is padding.
        } while rest.starts(with: [0x1F, 0x8B])
        return output
    }

    private static func word(_ bytes: ArraySlice<UInt8>, _ index: Int) -> UInt32 {
        (0..<4).reduce(0) { $0 | UInt32(bytes[index + $1]) << UInt32(8 * $1) }
    }

    private static func withoutHeader(
        _ bytes: ArraySlice<UInt8>
    ) throws(Failure) -> ArraySlice<UInt8> {
        guard bytes.starts(with: [0x1F, 0x8B]) else { throw .damaged("it is not gzip") }
        guard bytes.count >= 10, bytes[bytes.startIndex + 2] == 8 else {
            throw .damaged("its header is invalid")
        }
        let flags = bytes[bytes.startIndex + 3]
        var rest = bytes.dropFirst(10)
        if flags & 4 != 0 {
            guard rest.count >= 2 else { throw .damaged("it is cut short") }
            let extra = Int(rest[rest.startIndex]) | Int(rest[rest.startIndex + 1]) << 8
            guard rest.count >= extra + 2 else { throw .damaged("it is cut short") }
            rest = rest.dropFirst(extra + 2)
        }
        // The file name, then the comment.
        for flag: UInt8 in [8, 16] where flags & flag != 0 {
            guard let end = rest.firstIndex(of: 0) else { throw .damaged("it is cut short") }
            rest = rest[(end + 1)...]
        }
        if flags & 2 != 0 {
            guard rest.count >= 2 else { throw .damaged("it is cut short") }
            rest = rest.dropFirst(2)
        }
        return rest
    }

    // MARK: - deflate

    /// RFC 9110 means the zlib format (RFC 1950). Some servers send the raw stream, and clients
    /// accept both.
    private static func inflate(_ bytes: [UInt8], _ maximum: Int) throws(Failure) -> [UInt8] {
        let isZlib =
            bytes.count >= 2 && bytes[0] & 0x0F == 8
            && (Int(bytes[0]) << 8 | Int(bytes[1])) % 31 == 0
            && bytes[1] & 0x20 == 0
        var inflate = Inflate(isZlib ? bytes.dropFirst(2) : bytes[...], maximum: maximum)
        _ = try inflate.run()
        return inflate.output
    }
}

/// The checksum of gzip and ZIP.
package struct CRC32 {
    private var register: UInt32 = ~0

    package init() {}

    /// The checksum of the bytes until now.
    package var value: UInt32 { ~register }

    package mutating func update(_ bytes: ArraySlice<UInt8>) {
        register = bytes.reduce(register) {
            $0 >> 8 ^ Self.table[Int(UInt8(truncatingIfNeeded: $0) ^ $1)]
        }
    }

    private static let table: [UInt32] = (0..<256).map { byte in
        (0..<8).reduce(UInt32(byte)) { value, _ in
            value & 1 == 1 ? 0xEDB8_8320 ^ (value >> 1) : value >> 1
        }
    }

    package static func of(_ bytes: [UInt8]) -> UInt32 {
        var checksum = CRC32()
        checksum.update(bytes[...])
        return checksum.value
    }
}

extension ContentDecoder.Failure: CustomStringConvertible {
    package var description: String {
        switch self {
        case .unknown(let name): "the content coding \(name) is not supported"
        case .damaged(let reason): "the compressed body cannot be decoded: \(reason)"
        case .tooLarge(let maximum): "the compressed body expands to more than \(maximum) bytes"
        }
    }
}
