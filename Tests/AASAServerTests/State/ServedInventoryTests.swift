import Reactor
import TestSupport
import Testing

@testable import AASAServer

@Suite struct ServedInventoryTests {
    private let now = SiteFixture.now

    @Test func whatIsMissingIsNamed() throws {
        let fixture = try SiteFixture()
        try fixture.write("a.example/teams/D3KQX62K1A.json", SiteFixture.fragment)
        try fixture.write("a.example/host.json", "{\"aliases\": [\"w.a.example\"]}")
        try fixture.write("a.example/well-known/assetlinks.json", "[]")
        // An authority asks for it for some seconds.
        try fixture.write("a.example/well-known/acme-challenge/token", "answer")
        try fixture.certify("a.example", names: ["a.example", "w.a.example"])
        var first = try fixture.loader()
        _ = try first.load(now: now)
        let full = try #require(first.inventory)
        #expect(first.kept.inventory == full && KeptTree().inventory == nil)
        func missing(_ loader: SiteLoader) -> [String] {
            full.subtracting(loader.inventory ?? []).sorted()
        }
        try fixture.write("a.example/teams/D3KQX62K1A.json", "{")
        try fixture.write("a.example/host.json", "{}")
        Files.remove(fixture.site + "/a.example/well-known/acme-challenge/token")
        var second = try fixture.loader()
        _ = try second.load(now: now)
        expectEqual(
            missing(second),
            [
                "a certificate for w.a.example", "the document of a.example",
                "the name w.a.example of a.example",
            ])
        // With what the first served there is nothing less.
        var third = try fixture.loader()
        #expect(third.restore(first.kept).isEmpty)
        _ = try third.load(now: now)
        #expect(!missing(third).contains("the document of a.example"))
    }
}
