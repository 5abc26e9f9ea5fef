import Reactor
import TestSupport
import Testing

@testable import AASAStorm

@Suite struct SourceAddressesTests {
    @Test func loopbackIsSpreadOverAliases() throws {
        let target = try #require(SocketAddress(host: "127.0.0.1", port: 443))
        let sources = SourceAddresses(target: target)
        var random = SplitMix(seed: 3)
        var seen: Set<String> = []
        for _ in 0..<2000 { seen.insert(try #require(sources.next(using: &random)).host) }
        expectEqual(seen, Set((2...65).map { "127.0.0.\($0)" }))
    }

    @Test(arguments: ["::1", "192.0.2.1"])
    func elsewhereTheKernelChooses(host: String) throws {
        let target = try #require(SocketAddress(host: host, port: 443))
        var random = SplitMix(seed: 3)
        #expect(SourceAddresses(target: target).next(using: &random) == nil)
    }
}
