import AASAServer
import AppSiteAssociation
import Testing

@Suite struct FragmentOrderTests {
    private func teams(_ host: HostSource) -> [String] {
        guard case .fragments(let sources) = host.document else { return [] }
        return sources.map { DocumentBuilder.team(of: $0) }
    }

    private let three = ["teams/A.json": "{}", "teams/B.json": "{}", "teams/C.json": "{}"]

    @Test func followsHostJSON() throws {
        #expect(teams(try HostSource.made("{}", three)) == ["A", "B", "C"])
        #expect(teams(try HostSource.made(#"{"order": ["C", "A"]}"#, three)) == ["C", "A", "B"])
    }

    @Test func saysWhatCannotBe() throws {
        let unknown = try HostSource.made(#"{"order": ["C", "D"]}"#, three)
        #expect(unknown.problems.settings.map(\.code) == ["host-order-unknown-team"])
        #expect(unknown.problems.settings.first?.range != nil)
        #expect(teams(unknown) == ["C", "A", "B"])
        for (text, code) in [
            (#"{"order": "C"}"#, "host-wrong-type"), (#"{"order": [1]}"#, "host-wrong-type"),
            (#"{"order": ["C", "C"]}"#, "host-team-twice"),
        ] {
            #expect(try HostSource.made(text, three).problems.settings.map(\.code) == [code])
        }
    }

    @Test func namesOfFiles() {
        #expect(TeamFileName("A.json")?.role == .fragment)
        #expect(TeamFileName("A.links.csv")?.role == .links)
        #expect(TeamFileName("A.links.json")?.team == "A")
        #expect(TeamFileName("A.assetlinks.json")?.role == .sibling(.assetLinks))
        #expect(TeamFileName("A.webauthn.json")?.role == .sibling(.webAuthn))
        #expect(TeamFileName(".json") == nil)
        #expect(TeamFileName("A.txt") == nil)
    }
}
