import OpenSSL
import TestSupport
import Testing

@testable import AASAFleet

@Suite struct ChannelPointerTests {
    private static let hash = String(repeating: "a", count: 64)

    @Test func aPointerComesBackAsItWasWritten() throws {
        let pointer = ChannelPointer(
            revision: RevisionID(number: 3, hash: Self.hash), action: .rollback, author: "ann",
            time: 9, note: "ä", nonce: "n")
        try expectEqual(ChannelPointer(decoding: pointer.encoded, place: ""), pointer)
        let head = FleetHead(last: 9, nonce: "n")
        try expectEqual(FleetHead(decoding: head.encoded, place: ""), head)
    }
}
