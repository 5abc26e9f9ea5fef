import Reactor
import TestSupport
import Testing

@testable import AASAServer

@Suite struct ProxyHeaderTests {
    private func read(_ bytes: [UInt8]) -> ProxyHeader.Verdict {
        bytes.withUnsafeBytes { ProxyHeader.read($0) }
    }

    @Test func anythingElseIsAbsentFromItsFirstByteOn() {
        for bytes: [UInt8] in [
            [22, 3, 1], Array("GET / HTTP/1.1\r\n".utf8), Array("PROXX".utf8),
            [13, 10, 13, 10, 0, 13, 11], [0],
        ] {
            expectEqual(read(bytes), .absent)
        }
        expectEqual(read([]), .incomplete)
    }

    /// Five bytes decide: less may still become a ClientHello's record or a header.
    @Test func fiveBytesAreEnoughToTellThatAHeaderHasBegun() {
        func isBegun(_ bytes: some Sequence<UInt8>) -> Bool {
            Array(bytes).withUnsafeBytes { ProxyHeader.isBegun(by: $0) }
        }
        let line = Array("PROXY UNKNOWN\r\n".utf8)
        for header in [ProxyHeader.signature, line] {
            #expect(!isBegun(header.prefix(4)))
            for count in 5...header.count { #expect(isBegun(header.prefix(count)), "\(count)") }
        }
        #expect(!isBegun([22, 3, 1, 2, 0, 1]))
        #expect(!isBegun(Array("PROXX UNKNOWN".utf8)))
        #expect(!isBegun([13, 10, 13, 10, 1]))
    }
}
