import TestSupport
import Testing

@testable import OpenSSL

@Suite struct DERCheckTests {
    @Test(
        arguments: [
            ([0x30, 3, 2, 1, 5], DERCheck.Outcome.der(length: 5)),
            ([0x30, 3, 2, 1, 5, 0], .der(length: 5)), ([0x30, 0], .der(length: 2)),
            ([0x30, 0x81, 3, 2, 1, 5], .ber(offset: 0, length: 6)),
            ([0x30, 4, 2, 0x81, 1, 5], .ber(offset: 2, length: 6)),
            ([0x30, 0x80, 2, 1, 5, 0, 0], .ber(offset: 0, length: 7)),
            ([0x24, 3, 4, 1, 5], .ber(offset: 0, length: 5)), ([0x30, 4, 2, 1, 5], .truncated),
            ([0x30], .truncated), ([0x30, 0x80, 2, 1, 5, 0], .truncated), ([], .truncated),
            ([0x30, 0x85, 0, 0, 0, 0, 1, 5], .malformed),
            ([0x02, 0x80, 0, 0], .malformed),
            ([0x30, 3, 2, 9, 5, 1, 1, 1, 1, 1, 1, 1], .malformed),
            ([0x3f, 0x81, 0x01, 1, 5], .truncated),
        ] as [([UInt8], DERCheck.Outcome)])
    func `DER is told from BER and from noise`(bytes: [UInt8], outcome: DERCheck.Outcome) {
        expectEqual(DERCheck.check(bytes), outcome)
    }

    /// An octet string with so many octets, behind the octets of its length.
    private func string(_ length: [UInt8], _ count: Int) -> [UInt8] {
        [4] + length + Array(repeating: 1, count: count)
    }

    /// X.690 section 10.1.
    @Test(
        arguments: [
            ([0x7F], 0x7F, true), ([0x81, 0x7F], 0x7F, false), ([0x81, 0x80], 0x80, true),
            ([0x82, 0, 0x80], 0x80, false), ([0x81, 0xFF], 0xFF, true),
            ([0x82, 0, 0xFF], 0xFF, false), ([0x82, 1, 0], 0x100, true),
            ([0x83, 0, 1, 0], 0x100, false), ([0x82, 0xFF, 0xFF], 0xFFFF, true),
            ([0x83, 0, 0xFF, 0xFF], 0xFFFF, false), ([0x83, 1, 0, 0], 0x1_0000, true),
            ([0x84, 0, 1, 0, 0], 0x1_0000, false), ([0x84, 1, 0, 0, 0], 0x100_0000, true),
            ([0x84, 0, 0xFF, 0xFF, 0xFF], 0xFF_FFFF, false),
            ([0x84, 0, 0, 0, 0], 0, false), ([0], 0, true),
        ] as [([UInt8], Int, Bool)])
    func `A length is as short as can be`(length: [UInt8], count: Int, isDER: Bool) {
        let bytes = string(length, count)
        expectEqual(
            DERCheck.check(bytes),
            (isDER
                ? .der(length: bytes.count) : .ber(offset: 0, length: bytes.count)))
    }

    /// Of the kinds of values two are constructed in DER, SEQUENCE and SET; what is not universal
    /// may be.
    @Test(
        arguments: [
            (0x30, true), (0x31, true), (0x24, false), (0x2C, false), (0x36, false), (0xA0, true),
            (0xA4, true), (0x64, true), (0xE4, true),
        ] as [(UInt8, Bool)])
    func `Strings come in one piece`(tag: UInt8, isDER: Bool) {
        let bytes: [UInt8] = [tag, 3, 4, 1, 5]
        expectEqual(
            DERCheck.check(bytes), (isDER ? .der(length: 5) : .ber(offset: 0, length: 5)))
    }

    @Test func `The first place that is not DER is told`() {
        let two: [UInt8] = [0x30, 8, 4, 0x81, 1, 7, 4, 0x81, 1, 7]
        expectEqual(DERCheck.check(two), .ber(offset: 2, length: 10))
    }

    /// A cut ends the file; an element that is longer than the one it lies in was changed.
    @Test(
        arguments: [
            ([0x30, 5, 2, 1], .truncated), ([0x30, 2, 2, 5, 0, 0], .malformed),
            ([0x30, 1, 2, 0], .malformed), ([0x30, 2, 0x30, 0x80, 0, 0, 0], nil),
            ([0x30, 3, 0x30, 0x80, 0, 0, 0], nil), ([0x30, 2, 0x3F, 0x81, 1], nil),
            ([0x30, 0x82, 1], .truncated), ([0x30, 0x80, 0, 0], .ber(offset: 0, length: 4)),
            ([0x30, 0x80, 0], .truncated),
        ] as [([UInt8], DERCheck.Outcome?)])
    func `A cut is told from damage inside`(bytes: [UInt8], outcome: DERCheck.Outcome?) {
        let found = DERCheck.check(bytes)
        if let outcome {
            expectEqual(found, outcome)
        } else if case .malformed = found {
        } else {
            Issue.record("\(found)")
        }
    }

    @Test(arguments: [(63, true), (64, false)])
    func `Nesting has a bound`(depth: Int, isRead: Bool) {
        var bytes: [UInt8] = [2, 1, 5]
        for _ in 0..<depth { bytes = [0x30] + length(bytes.count) + bytes }
        let found = DERCheck.check(bytes)
        expectEqual((found == .der(length: bytes.count)), isRead)
        if !isRead { expectEqual(found, .malformed) }
    }

    private func length(_ count: Int) -> [UInt8] {
        count < 0x80
            ? [UInt8(count)]
            : count < 0x100 ? [0x81, UInt8(count)] : [0x82, 1, UInt8(count - 0x100)]
    }

    @Test func `What is nested without end does no harm`() {
        let bytes = Array(repeatElement([0x30, 0x80] as [UInt8], count: 10_000).joined())
        guard case .malformed = DERCheck.check(bytes) else {
            Issue.record("\(DERCheck.check(bytes))")
            return
        }
    }
}
