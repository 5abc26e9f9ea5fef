import Glibc
import Reactor
import TestSupport
import Testing

@testable import AASAServer

@Suite struct EndpointPartTests {
    /// The agent moves a link and has it read: the outcome is that of this very load.
    @Test func aReloadIsOverWhenItsOutcomeIsThere() throws {
        let fixture = try SiteFixture()
        try fixture.write("a.example/apple-app-site-association", SiteFixture.fragment)
        try fixture.certify("a.example", begins: -3_000, ends: 80_000)
        var loader = try fixture.loader()
        let publisher = SnapshotPublisher(try loader.load(now: SiteFixture.now).publication)
        let reloader = try Reloader(board: StatusBoard(version: "1"))
        let endpoint = RunningEndpoint(publisher: publisher, reloader: reloader)
        var names: [String] { endpoint.snapshot.hosts.map(\.name) }
        try reloader.start(
            loader: loader, publisher: publisher, pollInterval: .seconds(3600), watches: false,
            log: try FileLog().logger, around: { _ in })
        defer { reloader.stop() }
        var last = publisher.latest.snapshot.generation
        for number in 1...3 {
            let app = "D3KQX62K1A.com.example\(number)"
            try fixture.write(
                "a.example/apple-app-site-association",
                "{\"webcredentials\":{\"apps\":[\"\(app)\"]}}")
            let outcome = try #require(endpoint.revisionMoved())
            #expect(outcome.generation > last && outcome.failure == nil)
            last = outcome.generation
            #expect(publisher.latest.snapshot.generation >= last, "it is served already")
            let host = publisher.latest.snapshot.hosts[0]
            #expect(host.association.response(userAgent: nil).response.text.contains(app))
        }
        #expect(
            rename(fixture.folder.path("site"), fixture.folder.path("away")) == 0)
        let lost = try #require(endpoint.revisionMoved())
        #expect(lost.report?.hasErrors == true || lost.failure != nil)
        #expect(names == ["a.example"])
        try fixture.certify("b.example", begins: -3_000, ends: 80_000)
        // What the agent asks is no order of an operator: what was lost is not taken away.
        try fixture.write("b.example/apple-app-site-association", SiteFixture.fragment)
        _ = try #require(endpoint.revisionMoved())
        #expect(names == ["a.example", "b.example"])
    }
}
