import AASAServer
import AppSiteAssociation
import TestSupport
import Testing

@Suite struct FragmentOrderTests {
    private func teams(_ host: HostSource) -> [String] {
        guard case .fragments(let sources) = host.document else { return [] }
        return sources.map { DocumentBuilder.team(of: $0) }
    }

    private let three = ["teams/A.json": "{}", "teams/B.json": "{}", "teams/C.json": "{}"]

    @Test func followsHostJSON() throws {
        expectEqual(teams(try HostSource.made("{}", three)), ["A", "B", "C"])
        expectEqual(teams(try HostSource.made(#"{"order": ["C", "A"]}"#, three)), ["C", "A", "B"])
    }

    @Test func saysWhatCannotBe() throws {
        let unknown = try HostSource.made(#"{"order": ["C", "D"]}"#, three)
        expectEqual(unknown.problems.settings.map(\.code), ["host-order-unknown-team"])
        #expect(unknown.problems.settings.first?.range != nil)
        expectEqual(teams(unknown), ["C", "A", "B"])
        for (text, code) in [
            (#"{"order": "C"}"#, "host-wrong-type"), (#"{"order": [1]}"#, "host-wrong-type"),
            (#"{"order": ["C", "C"]}"#, "host-team-twice"),
        ] {
            try expectEqual(HostSource.made(text, three).problems.settings.map(\.code), [code])
        }
    }

    @Test func namesOfFiles() {
        expectEqual(TeamFileName("A.json")?.role, .fragment)
        expectEqual(TeamFileName("A.links.csv")?.role, .links)
        expectEqual(TeamFileName("A.links.json")?.team, "A")
        expectEqual(TeamFileName("A.assetlinks.json")?.role, .sibling(.assetLinks))
        expectEqual(TeamFileName("A.webauthn.json")?.role, .sibling(.webAuthn))
        #expect(TeamFileName(".json") == nil)
        #expect(TeamFileName("A.txt") == nil)
    }
}
