import Reactor
import TestSupport
import Testing

@testable import AASAServer

@Suite struct ProxyHeaderBinaryTests {
    private func read(_ bytes: [UInt8]) -> ProxyHeader.Verdict {
        bytes.withUnsafeBytes { ProxyHeader.read($0) }
    }

    private func client(_ text: String) -> ProxyHeader.Sender? {
        SocketAddress(parsing: text).map { .client($0) }
    }

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
            expectEqual(header.sender, client(address))
            expectEqual(header.byteCount, bytes.count)
            for count in 1..<bytes.count {
                expectEqual(read(Array(bytes.prefix(count))), .incomplete, "\(count)")
            }
        }
    }

    @Test(arguments: [
        (UInt8(0x20), UInt8(0x00), 0), (0x20, 0x11, 12), (0x20, 0xFF, 3), (0x20, 0x11, 2),
    ])
    func localIsTheFrontItselfWhateverElseItSays(_ command: UInt8, _ family: UInt8, _ count: Int) {
        let bytes = binary(command, family, Array(repeating: 9, count: count))
        expectEqual(
            read(bytes),
            .whole(
                ProxyHeader(sender: .front, byteCount: bytes.count)))
    }

    @Test(arguments: [(UInt8(0x00), 5), (0x12, 12), (0x22, 36), (0x31, 216), (0x32, 216)])
    func whatNamesNoStreamOfTheInternetIsUnknown(_ family: UInt8, _ count: Int) {
        let bytes = binary(0x21, family, Array(repeating: 0, count: count))
        guard case .whole(let header) = read(bytes) else {
            Issue.record("\(family)")
            return
        }
        expectEqual(header.sender, .unknown)
        expectEqual(header.byteCount, bytes.count)
    }

    @Test func whatDoesNotExistIsBroken() {
        expectEqual(read(binary(0x11)), .broken(.version))
        expectEqual(read(binary(0x31)), .broken(.version))
        expectEqual(read(binary(0x22)), .broken(.command))
        for family: UInt8 in [0x01, 0x10, 0x13, 0x20, 0x33, 0x41, 0xF1] {
            expectEqual(read(binary(0x21, family)), .broken(.family), "\(family)")
        }
        // Told as soon as it is known, not after what it announces.
        expectEqual(read(Array(binary(0x11).prefix(13))), .broken(.version))
        expectEqual(read(binary(length: 4081)), .broken(.tooLong))
        expectEqual(read(binary(length: 4080)), .incomplete)
        expectEqual(read(binary(0x21, 0x11, Array(Self.addresses4.dropLast()))), .broken(.length))
        expectEqual(read(binary(0x21, 0x21, Self.addresses4)), .broken(.length))
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
            expectEqual(with(fields), .broken(.extensions), "\(fields)")
        }
    }

    @Test func theChecksumIsThatOfItsBytes() {
        // RFC 3720 appendix B.4.
        let known: [([UInt8], UInt32)] = [
            (Array(repeating: 0, count: 32), 0x8A91_36AA),
            (Array(repeating: 0xFF, count: 32), 0x62A8_AB43), (Array(0..<32), 0x46DD_794E),
        ]
        for (bytes, sum) in known {
            expectEqual(bytes.withUnsafeBytes { CRC32C.of($0, zeroing: 0..<0) }, sum)
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
            expectEqual(read(bytes), .broken(.checksum), "\(index)")
            bytes[index] ^= 1
        }
    }

    /// The transport does not change how long the addresses are.
    @Test(arguments: [
        (UInt8(0x11), 12), (0x12, 12), (0x21, 36), (0x22, 36), (0x31, 216), (0x32, 216),
    ])
    func theAddressesHaveToBeWhole(_ family: UInt8, _ count: Int) {
        let short = binary(0x21, family, Array(repeating: 0, count: count - 1))
        expectEqual(read(short), .broken(.length))
        // A byte behind them is a field, and too short for one.
        let long = binary(0x21, family, Array(repeating: 0, count: count + 1))
        expectEqual(read(long), .broken(.extensions))
    }

    /// Where the fields begin is not known, and what a front says of itself is not looked at.
    @Test func withoutAddressesFieldsAreNotRead() {
        for (command, family) in [(UInt8(0x21), UInt8(0)), (0x20, 0x11)] {
            let bytes = binary(command, family, Array(repeating: 0, count: 12) + [3, 0, 9])
            guard case .whole(let header) = read(bytes) else {
                Issue.record("\(command)")
                continue
            }
            expectEqual(header.byteCount, bytes.count)
        }
    }

    /// Every bit of the addresses counts, in network order.
    @Test func addressesAreReadInNetworkOrder() {
        var bytes = Self.addresses6
        for index in 0..<16 { bytes[index] = UInt8(index * 16 + 1) }
        bytes[32] = 0x12
        bytes[33] = 0x34
        guard case .whole(let header) = read(binary(0x21, 0x21, bytes)) else {
            Issue.record("a whole header")
            return
        }
        expectEqual(header.sender, client("[111:2131:4151:6171:8191:a1b1:c1d1:e1f1]:4660"))
    }
}
