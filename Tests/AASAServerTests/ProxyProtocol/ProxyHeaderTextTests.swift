import Reactor
import TestSupport
import Testing

@testable import AASAServer

@Suite struct ProxyHeaderTextTests {
    private func read(_ bytes: [UInt8]) -> ProxyHeader.Verdict {
        bytes.withUnsafeBytes { ProxyHeader.read($0) }
    }

    private func read(_ text: String) -> ProxyHeader.Verdict { read(Array(text.utf8)) }

    private func client(_ text: String) -> ProxyHeader.Sender? {
        SocketAddress(parsing: text).map { .client($0) }
    }

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
        expectEqual(header.sender, client(address))
        expectEqual(header.byteCount, line.utf8.count)
        for count in 1..<line.utf8.count {
            expectEqual(read(Array(line.utf8.prefix(count))), .incomplete, "\(count)")
        }
    }

    @Test(arguments: ["PROXY UNKNOWN\r\n", "PROXY UNKNOWN ffff::1 anything  at all\r\n"])
    func unknownIsTheFrontsOwnAddress(_ line: String) {
        expectEqual(
            read(line),
            .whole(
                ProxyHeader(sender: .unknown, byteCount: line.utf8.count)))
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
        expectEqual(read(line), .broken(.line))
    }

    @Test func aLineWithoutAnEndIsBrokenAfter107Bytes() {
        let line = "PROXY UNKNOWN " + String(repeating: "x", count: 93)
        expectEqual(line.utf8.count, 107)
        expectEqual(read(String(line.dropLast())), .incomplete)
        expectEqual(read(line), .broken(.lineTooLong))
        #expect(read(String(line.dropLast(2)) + "\r\n") != .broken(.lineTooLong))
        expectEqual(read(String(line.dropLast()) + "\r\n"), .broken(.lineTooLong))
    }

    /// Only the client's address is used; but a line that is wrong in one place is not believed in
    /// another.
    @Test(arguments: [
        "PROXY TCP4 192.0.2.7 2001:db8::1 1 443\r\n",
        "PROXY TCP6 2001:db8::7 198.51.100.1 1 443\r\n",
        "PROXY TCP6 fe80::1 fe80::2%lo 1 443\r\n",
        "PROXY TCP4 192.0.2.7 front 1 443\r\n",
        "PROXY TCP4 192.0.2.7 198.51.100.1 1 0443\r\n",
        "PROXY TCP4 192.0.2.7 198.51.100.1 1 65536\r\n",
        "PROXY TCP4 192.0.2.7 198.51.100.1  443\r\n",
        "PROXY TCP4 192.0.2.7 198.51.100.1 00 443\r\n",
        "PROXY TCP4 192.0.2.7 198.51.100.1 1 443 9\r\n",
    ])
    func whatIsWrongAboutTheFrontIsWrong(_ line: String) {
        expectEqual(read(line), .broken(.line))
    }

    @Test func aPortMayBeZero() {
        let line = "PROXY TCP4 192.0.2.7 198.51.100.1 0 0\r\n"
        guard case .whole(let header) = read(line) else {
            Issue.record("port 0 is a number of one spelling")
            return
        }
        expectEqual(header.sender, client("192.0.2.7:0"))
    }
}
