import TestSupport
import Testing

@testable import HTTP

/// Bodies that are put together octet by octet, so that each part can be wrong alone.
@Suite struct ContentDecoderTests {
    private static let text = Array("123456789".utf8)

    /// One stored block (RFC 1951 section 3.2.4), the last one.
    private static func deflated(_ bytes: [UInt8]) -> [UInt8] {
        let count = UInt16(bytes.count)
        return [1] + littleEndian(count) + littleEndian(~count) + bytes
    }

    private static func littleEndian(_ number: some FixedWidthInteger) -> [UInt8] {
        withUnsafeBytes(of: number.littleEndian) { Array($0) }
    }

    /// A member of RFC 1952.
    ///
    /// - Parameter fields: what stands behind the first ten octets, as the flags say.
    private static func gzip(
        _ bytes: [UInt8] = text, flags: UInt8 = 0, fields: [UInt8] = [], method: UInt8 = 8,
        checksum: UInt32? = nil, size: UInt32? = nil
    ) -> [UInt8] {
        [0x1F, 0x8B, method, flags, 0, 0, 0, 0, 0, 3] + fields + deflated(bytes)
            + littleEndian(checksum ?? CRC32.of(bytes)) + littleEndian(size ?? UInt32(bytes.count))
    }

    private func decode(
        _ body: [UInt8], _ codings: String..., maximum: Int = 1000
    ) -> Result<[UInt8], ContentDecoder.Failure> {
        Result { () throws(ContentDecoder.Failure) in
            try ContentDecoder.decode(body, codings: codings, maximum: maximum)
        }
    }

    private func damage(_ body: [UInt8], _ coding: String = "gzip") -> String? {
        guard case .failure(.damaged(let reason)) = decode(body, coding) else { return nil }
        return reason
    }

    // MARK: gzip

    /// The check value that every description of this checksum gives.
    @Test func `The checksum is the one of gzip`() {
        expectEqual(CRC32.of(Self.text), 0xCBF4_3926)
        expectEqual(CRC32.of([]), 0)
    }

    static let headers: [(UInt8, [UInt8])] = [
        (0, []), (1, []), (2, [7, 7]), (4, [0, 0]), (4, [3, 0, 1, 0, 2]),
        (4, [2, 1] + Array(repeating: 9, count: 258)), (8, [0]), (8, [0x61, 0]), (16, [0x62, 0]),
        (24, [0x61, 0, 0x62, 0]), (30, [1, 0, 0, 0x61, 0, 0x62, 0, 7, 7]),
    ]

    @Test(arguments: headers)
    func `Fields of the header are passed over`(flags: UInt8, fields: [UInt8]) {
        let body = Self.gzip(flags: flags, fields: fields)
        expectEqual(decode(body, "gzip"), .success(Self.text))
        for count in 0..<body.count { #expect(damage(Array(body.prefix(count))) != nil) }
    }

    @Test func `It says what is wrong`() {
        expectEqual(damage([0x1F, 0x8C] + Self.gzip().dropFirst(2)), "it is not gzip")
        expectEqual(damage([]), "it is not gzip")
        expectEqual(damage(Self.gzip(method: 7)), "its header is invalid")
        expectEqual(damage(Array(Self.gzip().prefix(9))), "its header is invalid")
        expectEqual(damage(Self.gzip(checksum: 0xCBF4_3927)), "its checksum does not match")
        expectEqual(damage(Self.gzip(checksum: 0x4BF4_3926)), "its checksum does not match")
        expectEqual(damage(Self.gzip(size: 8)), "its size does not match")
        expectEqual(damage(Self.gzip(size: 9 + 1 << 24)), "its size does not match")
        expectEqual(damage(Array(Self.gzip().dropLast())), "it is cut short")
    }

    @Test func `Several members are one body, and all of them within the bound`() {
        let body = Self.gzip() + Self.gzip([]) + Self.gzip(Array("0".utf8))
        let both = Self.text + Array("0".utf8)
        expectEqual(decode(body, "gzip", maximum: 10), .success(both))
        expectEqual(decode(body, "gzip", maximum: 9), .failure(.tooLarge(9)))
        expectEqual(decode(body, "gzip", maximum: 8), .failure(.tooLarge(8)))
        expectEqual(damage(Self.gzip() + Self.gzip(checksum: 1)), "its checksum does not match")
        // A second one that is cut short is no padding.
        expectEqual(damage(Self.gzip() + [0x1F, 0x8B]), "its header is invalid")
    }

    @Test func `Padding behind the last member is nothing`() {
        expectEqual(decode(Self.gzip() + [0, 0, 0], "gzip"), .success(Self.text))
        expectEqual(decode(Self.gzip() + [0x1F], "gzip"), .success(Self.text))
    }

    // MARK: deflate

    @Test func `Deflate comes with and without the head of zlib`() {
        let bare = Self.deflated(Self.text)
        let adler: [UInt8] = [0x09, 0x1E, 0x01, 0xDE]
        expectEqual(decode(bare, "deflate"), .success(Self.text))
        for head: [UInt8] in [[0x78, 0x01], [0x78, 0x9C], [0x78, 0xDA], [0x08, 0x1D]] {
            expectEqual(decode(head + bare + adler, "deflate"), .success(Self.text), "\(head)")
        }
        // No multiple of 31, and one that asks for a dictionary: no such head.
        for head: [UInt8] in [[0x78, 0x02], [0x78, 0x20]] {
            #expect(damage(head + bare + adler, "deflate") != nil, "\(head)")
        }
        #expect(damage([0x78], "deflate") != nil)
        #expect(damage([], "deflate") != nil)
        expectEqual(decode(bare, "deflate", maximum: 8), .failure(.tooLarge(8)))
    }

    // MARK: Codings

    @Test func `The last coding is taken off first`() {
        let body = Self.gzip(Self.deflated(Self.text))
        expectEqual(decode(body, "deflate, gzip"), .success(Self.text))
        expectEqual(decode(body, "deflate", "x-gzip"), .success(Self.text))
        #expect(decode(body, "gzip, deflate") != .success(Self.text))
        expectEqual(decode(Self.text), .success(Self.text))
    }

    @Test func `Three codings are taken off, and a fourth is too many`() {
        let twice = Self.gzip(Self.gzip())
        expectEqual(decode(Self.gzip(twice), "gzip,gzip", "gzip"), .success(Self.text))
        expectEqual(
            decode(Self.gzip(Self.gzip(twice)), "gzip,gzip", "gzip,gzip"),
            .failure(.damaged("4 nested codings")))
        // What changes nothing does not count.
        expectEqual(decode(twice, "gzip,identity,gzip,identity"), .success(Self.text))
    }

    @Test func `Names are read as they are written by anybody`() {
        expectEqual(ContentDecoder.names(["GZIP ,\tidentity", "", " Br,,"]), ["gzip", "br"])
        expectEqual(ContentDecoder.names(["Identity"]), [])
    }

    @Test func `Codings are those of the registry`() {
        for name in ["gzip", "x-gzip", "deflate", "br", "zstd", "compress"] {
            #expect(ContentDecoder.isCoding(name), "\(name)")
        }
        for name in ["utf-8", "aws-chunked", "binary", ""] {
            #expect(!ContentDecoder.isCoding(name), "\(name)")
        }
    }

    @Test func `A failure is told in words`() {
        expectEqual(
            "\(ContentDecoder.Failure.unknown("br"))", "the content coding br is not supported")
        expectEqual(
            "\(ContentDecoder.Failure.damaged("it is not gzip"))",
            "the compressed body cannot be decoded: it is not gzip")
        #expect("\(ContentDecoder.Failure.tooLarge(7))".contains("more than 7 bytes"))
    }
}
