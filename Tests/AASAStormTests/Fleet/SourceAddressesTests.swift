import Reactor
import Testing

@testable import AASAStorm

@Suite struct SourceAddressesTests {
    @Test func loopbackIsSpreadOverAliases() throws {
        let target = try #require(SocketAddress(host: "127.0.0.1", port: 443))
        let sources = SourceAddresses(target: target, count: 4)
        var random = SplitMix(seed: 3)
        var seen: Set<String> = []
        for _ in 0..<200 { seen.insert(try #require(sources.next(using: &random)).host) }
        #expect(seen == ["127.0.0.2", "127.0.0.3", "127.0.0.4", "127.0.0.5"])
    }

    @Test(arguments: ["::1", "192.0.2.1"])
    func elsewhereTheKernelChooses(host: String) throws {
        let target = try #require(SocketAddress(host: host, port: 443))
        var random = SplitMix(seed: 3)
        #expect(SourceAddresses(target: target, count: 4).next(using: &random) == nil)
    }
}
