import Reactor
import TestSupport
import Testing

@testable import AASAServer

@Suite struct ProxyProtocolSettingsTests {
    private func address(_ host: String, port: UInt16 = 1) throws -> SocketAddress {
        try #require(SocketAddress(host: host, port: port))
    }

    @Test(arguments: [
        ("192.0.2.7", ["192.0.2.7", "::ffff:192.0.2.7"], ["192.0.2.8", "192.0.2.6"]),
        ("192.0.2.0/25", ["192.0.2.0", "192.0.2.127"], ["192.0.2.128", "192.0.1.255"]),
        ("10.0.0.0/8", ["10.255.0.1"], ["11.0.0.0", "9.255.255.255", "2001:db8::10"]),
        ("2001:db8::/32", ["2001:db8:ffff::1"], ["2001:db9::", "2001:db7:ffff::"]),
        ("2001:db8::7", ["2001:db8::7"], ["2001:db8::6", "2001:db8:0:1::7"]),
        ("2001:db8:0:1::/65", ["2001:db8:0:1:7fff::"], ["2001:db8:0:1:8000::"]),
    ])
    func aPrefixHoldsItsNetwork(_ text: String, _ inside: [String], _ outside: [String]) throws {
        let prefix = try AddressPrefix(text)
        for host in inside { #expect(prefix.contains(try address(host)), "\(host)") }
        for host in outside { #expect(!prefix.contains(try address(host)), "\(host)") }
        #expect(!prefix.contains(try #require(SocketAddress.unix(path: "/run/front"))))
    }

    @Test(arguments: [
        "", "/8", "10.0.0.0/", "10.0.0.0/33", "10.0.0.0/+8", "10.0.0.0/8/8", "2001:db8::/129",
        "localhost", "192.0.2", "fe80::1%lo", "192.0.2.7:443", "[2001:db8::7]",
    ])
    func whatIsNoNetworkIsRefused(_ text: String) {
        #expect(throws: AddressPrefix.Fault.notAnAddress) { try AddressPrefix(text) }
    }

    @Test func bitsBehindTheLengthAreNamedWithWhatIsMeant() {
        #expect(throws: AddressPrefix.Fault.bitsBehindLength("10.0.0.0/8")) {
            try AddressPrefix("10.0.0.1/8")
        }
        #expect(throws: AddressPrefix.Fault.bitsBehindLength("2001:db8::/32")) {
            try AddressPrefix("2001:db8::1/32")
        }
    }

    @Test(arguments: ["0.0.0.0/0", "::/0"])
    func everybodyIsNoFront(_ text: String) {
        #expect(throws: AddressPrefix.Fault.everybody) { try AddressPrefix(text) }
    }

    @Test func listenersAreChosenByAddressAndPort() throws {
        let fronts = [try AddressPrefix("192.0.2.7")]
        let all = ProxyProtocolSettings(fronts: fronts)
        expectEqual(all.fronts(at: try address("203.0.113.1", port: 443)), fronts)
        let one = ProxyProtocolSettings(
            fronts: fronts, listeners: try #require(SocketAddress.listening("*:8443")))
        expectEqual(one.fronts(at: try address("0.0.0.0", port: 8443)), fronts)
        expectEqual(one.fronts(at: try address("::", port: 8443)), fronts)
        #expect(one.fronts(at: try address("0.0.0.0", port: 443)).isEmpty)
        #expect(one.fronts(at: try address("127.0.0.1", port: 8443)).isEmpty)
    }
}
