// Covers: ProxyHeaderText.swift
// Covers: ProxyHeaderBinary.swift
import Reactor
import Testing

@testable import AASAServer

@Suite struct ProxyHeaderTests {
    private func read(_ bytes: [UInt8]) -> ProxyHeader.Verdict {
        bytes.withUnsafeBytes { ProxyHeader.read($0) }
    }

    private func read(_ text: String) -> ProxyHeader.Verdict { read(Array(text.utf8)) }

    private func client(_ text: String) -> ProxyHeader.Sender? {
        SocketAddress(parsing: text).map { .client($0) }
    }

    // MARK: Version 1

    @Test(arguments: [
        ("PROXY TCP4 192.0.2.7 198.51.100.1 56324 443\r\n", "192.0.2.7:56324"),
        ("PROXY TCP4 255.255.255.255 255.255.255.255 65535 65535\r\n", "255.255.255.255:65535"),
        ("PROXY TCP6 2001:db8::7 2001:db8::1 1 443\r\n", "[2001:db8::7]:1"),
        (
            "PROXY TCP6 ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff "
                + "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff 65535 65535\r\n",
            "[ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff]:65535"
        ),
    ])
    func aLineNamesTheClient(_ line: String, _ address: String) throws {
        guard case .whole(let header) = read(line + "\u{16}\u{3}\u{1}") else {
            Issue.record("\(line)")
            return
        }
        #expect(header.sender == client(address))
        #expect(header.byteCount == line.utf8.count)
        #expect(header.version == .text)
        for count in 1..<line.utf8.count {
            #expect(read(Array(line.utf8.prefix(count))) == .incomplete, "\(count)")
        }
    }

    @Test(arguments: ["PROXY UNKNOWN\r\n", "PROXY UNKNOWN ffff::1 anything  at all\r\n"])
    func unknownIsTheFrontsOwnAddress(_ line: String) {
        #expect(
            read(line)
                == .whole(
                    ProxyHeader(version: .text, sender: .unknown, byteCount: line.utf8.count)))
    }

    @Test(arguments: [
        "PROXY \r\n", "PROXY TCP4\r\n", "PROXY TCP4 192.0.2.7 198.51.100.1 56324\r\n",
        "PROXY TCP4 192.0.2.7 198.51.100.1 56324 443 \r\n",
        "PROXY TCP4  192.0.2.7 198.51.100.1 56324 443\r\n",
        "PROXY TCP4 192.0.2.7 198.51.100.1 56324 443\n",
        "PROXY TCP4 192.0.2.07 198.51.100.1 56324 443\r\n",
        "PROXY TCP4 192.0.2 198.51.100.1 56324 443\r\n",
        "PROXY TCP4 2001:db8::7 2001:db8::1 1 443\r\n",
        "PROXY TCP6 192.0.2.7 198.51.100.1 1 443\r\n",
        "PROXY TCP6 fe80::1%lo fe80::2 1 443\r\n",
        "PROXY TCP4 192.0.2.7 198.51.100.1 065 443\r\n",
        "PROXY TCP4 192.0.2.7 198.51.100.1 65536 443\r\n",
        "PROXY TCP4 192.0.2.7 198.51.100.1 +1 443\r\n",
        "PROXY tcp4 192.0.2.7 198.51.100.1 1 443\r\n",
        "PROXY UDP4 192.0.2.7 198.51.100.1 1 443\r\n",
        "PROXY TCP4 192.0.2.7 198.51.100.1 1 443\r\r\n\u{0}",
    ])
    func aLineThatSaysSomethingElseIsBroken(_ line: String) {
        #expect(read(line) == .broken(.line))
    }

    @Test func aLineWithoutAnEndIsBrokenAfter107Bytes() {
        let line = "PROXY UNKNOWN " + String(repeating: "x", count: 93)
        #expect(line.utf8.count == 107)
        #expect(read(String(line.dropLast())) == .incomplete)
        #expect(read(line) == .broken(.lineTooLong))
        #expect(read(String(line.dropLast(2)) + "\r\n") != .broken(.lineTooLong))
        #expect(read(String(line.dropLast()) + "\r\n") == .broken(.lineTooLong))
    }

    // MARK: Version 2

    private static let addresses4: [UInt8] = [192, 0, 2, 7, 198, 51, 100, 1, 0xDC, 0x04, 1, 0xBB]
    private static let addresses6: [UInt8] =
        [0x20, 1, 0x0D, 0xB8] + Array(repeating: 0, count: 11) + [7]
        + [0x20, 1, 0x0D, 0xB8] + Array(repeating: 0, count: 11) + [1] + [0, 1, 1, 0xBB]

    private func binary(
        _ command: UInt8 = 0x21, _ family: UInt8 = 0x11, _ rest: [UInt8] = addresses4,
        length: Int? = nil
    ) -> [UInt8] {
        let length = length ?? rest.count
        return ProxyHeader.signature + [command, family, UInt8(length >> 8), UInt8(length & 255)]
            + rest
    }

    @Test func addressesOfBothFamilies() {
        for (bytes, address) in [
            (binary(), "192.0.2.7:56324"),
            (binary(0x21, 0x21, Self.addresses6), "[2001:db8::7]:1"),
        ] {
            guard case .whole(let header) = read(bytes + [22, 3, 1]) else {
                Issue.record("\(address)")
                continue
            }
            #expect(header.sender == client(address))
            #expect(header.byteCount == bytes.count)
            #expect(header.version == .binary)
            for count in 1..<bytes.count {
                #expect(read(Array(bytes.prefix(count))) == .incomplete, "\(count)")
            }
        }
    }

    @Test(arguments: [
        (UInt8(0x20), UInt8(0x00), 0), (0x20, 0x11, 12), (0x20, 0xFF, 3), (0x20, 0x11, 2),
    ])
    func localIsTheFrontItselfWhateverElseItSays(_ command: UInt8, _ family: UInt8, _ count: Int) {
        let bytes = binary(command, family, Array(repeating: 9, count: count))
        #expect(
            read(bytes)
                == .whole(
                    ProxyHeader(version: .binary, sender: .front, byteCount: bytes.count)))
    }

    @Test(arguments: [(UInt8(0x00), 5), (0x12, 12), (0x22, 36), (0x31, 216), (0x32, 216)])
    func whatNamesNoStreamOfTheInternetIsUnknown(_ family: UInt8, _ count: Int) {
        let bytes = binary(0x21, family, Array(repeating: 0, count: count))
        guard case .whole(let header) = read(bytes) else {
            Issue.record("\(family)")
            return
        }
        #expect(header.sender == .unknown)
        #expect(header.byteCount == bytes.count)
    }

    @Test func whatDoesNotExistIsBroken() {
        #expect(read(binary(0x11)) == .broken(.version))
        #expect(read(binary(0x31)) == .broken(.version))
        #expect(read(binary(0x22)) == .broken(.command))
        for family: UInt8 in [0x01, 0x10, 0x13, 0x20, 0x33, 0x41, 0xF1] {
            #expect(read(binary(0x21, family)) == .broken(.family), "\(family)")
        }
        // Told as soon as it is known, not after what it announces.
        #expect(read(Array(binary(0x11).prefix(13))) == .broken(.version))
        #expect(read(binary(length: 4081)) == .broken(.tooLong))
        #expect(read(binary(length: 4080)) == .incomplete)
        #expect(read(binary(0x21, 0x11, Array(Self.addresses4.dropLast()))) == .broken(.length))
        #expect(read(binary(0x21, 0x21, Self.addresses4)) == .broken(.length))
    }

    @Test func fieldsAreWalkedToTheirEnd() {
        func with(_ fields: [UInt8]) -> ProxyHeader.Verdict {
            read(binary(0x21, 0x11, Self.addresses4 + fields))
        }
        func isWhole(_ verdict: ProxyHeader.Verdict) -> Bool {
            if case .whole = verdict { true } else { false }
        }
        #expect(isWhole(with([4, 0, 0])))
        #expect(isWhole(with([4, 0, 2, 0, 0, 0xEA, 0, 1, 7])))
        #expect(isWhole(with([5, 0, 128] + Array(repeating: 1, count: 128))))
        for fields: [UInt8] in [
            [4], [4, 0], [4, 0, 1], [4, 0, 0, 4], [4, 1, 0, 0], [3, 0, 3, 0, 0, 0],
            [5, 0, 129] + Array(repeating: 1, count: 129),
        ] {
            #expect(with(fields) == .broken(.extensions), "\(fields)")
        }
    }

    @Test func theChecksumIsThatOfItsBytes() {
        // RFC 3720 appendix B.4.
        let known: [([UInt8], UInt32)] = [
            (Array(repeating: 0, count: 32), 0x8A91_36AA),
            (Array(repeating: 0xFF, count: 32), 0x62A8_AB43), (Array(0..<32), 0x46DD_794E),
        ]
        for (bytes, sum) in known {
            #expect(bytes.withUnsafeBytes { CRC32C.of($0, zeroing: 0..<0) } == sum)
        }
        var bytes = binary(0x21, 0x11, Self.addresses4 + [3, 0, 4, 0, 0, 0, 0])
        let sum = bytes.withUnsafeBytes { CRC32C.of($0, zeroing: 0..<0) }
        for index in 0..<4 {
            bytes[bytes.count - 1 - index] = UInt8(truncatingIfNeeded: sum >> UInt32(8 * index))
        }
        guard case .whole = read(bytes) else {
            Issue.record("a right checksum")
            return
        }
        for index in 16..<bytes.count - 7 {
            bytes[index] ^= 1
            #expect(read(bytes) == .broken(.checksum), "\(index)")
            bytes[index] ^= 1
        }
    }

    @Test func anythingElseIsAbsentFromItsFirstByteOn() {
        for bytes: [UInt8] in [
            [22, 3, 1], Array("GET / HTTP/1.1\r\n".utf8), Array("PROXX".utf8),
            [13, 10, 13, 10, 0, 13, 11], [0],
        ] {
            #expect(read(bytes) == .absent)
        }
        #expect(read([]) == .incomplete)
    }
}
