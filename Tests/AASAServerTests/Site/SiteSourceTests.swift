import AppSiteAssociation
import TestSupport
import Testing

@testable import AASAServer

@Suite struct SiteSourceTests {
    private let statements = #"[{"relation":["r"],"target":{"package_name":"a"}}]"#
    private let others = #"[{"relation":["r"],"target":{"package_name":"b"}}]"#

    private func host(_ files: [String: String]) throws -> HostSource {
        let folder = try TemporaryFolder("source")
        for (name, text) in files { try folder.write("h.example/\(name)", text) }
        return HostFolder.read(name: "h.example", path: folder.path("h.example"))
    }

    private func part(_ team: String, _ text: String) -> SiblingPart {
        SiblingPart(
            kind: .assetLinks, team: team,
            source: SourceText(name: "h/teams/\(team).assetlinks.json", text: text))
    }

    private func text(_ host: HostSource, _ name: String = "assetlinks.json") -> String? {
        host.siblings.first { $0.name == name }.map {
            String(decoding: $0.source.bytes, as: UTF8.self)
        }
    }

    /// What a person tries out, as if it were on disk.
    @Test func otherFilesOfTheTeamsTakeThePlaceOfThoseRead() throws {
        let read = try host([
            "teams/A.json": "{}", "teams/A.assetlinks.json": statements,
            "well-known/nodeinfo": "{}",
        ])
        #expect(text(read) == statements)
        let fragment = SourceText(name: "h/teams/B.json", text: "{}")
        let changed = read.replacing(
            fragments: [fragment], parts: [part("B", others)], folder: "h")
        guard case .fragments(let sources) = changed.document else {
            Issue.record("no fragments")
            return
        }
        #expect(sources.map(\.name) == ["h/teams/B.json"])
        #expect(text(changed) == others)
        #expect(changed.siblings.count == 2, "what is no part of a team stays")
        #expect(changed.siblingParts.map(\.team) == ["B"])
        #expect(changed.name == read.name && changed.place == read.place)
        // Without fragments the host's own document stays, and without parts nothing is merged.
        let bare = read.replacing(fragments: [], parts: [], folder: "h")
        guard case .fragments(let own) = bare.document else {
            Issue.record("no fragments")
            return
        }
        #expect(own.count == 1)
        #expect(text(bare) == nil && bare.siblings.map(\.name) == ["nodeinfo"])
    }

    /// What the old parts had wrong is not said of the new ones.
    @Test func problemsAreThoseOfTheNewParts() throws {
        let broken = try host(["teams/A.json": "{}", "teams/A.assetlinks.json": "["])
        #expect(broken.problems.siblings["assetlinks.json"]?.isEmpty == false)
        let mended = broken.replacing(
            fragments: [], parts: [part("A", statements)], folder: "h")
        #expect(mended.problems.siblings["assetlinks.json"] == nil)
        #expect(text(mended) == statements)
        let again = mended.replacing(fragments: [], parts: [part("A", "[")], folder: "h")
        #expect(again.problems.siblings["assetlinks.json"]?.isEmpty == false)
        #expect(text(again) == nil)
        // One that was written by hand holds the parts back, and that is said once.
        let written = try host([
            "teams/A.json": "{}", "teams/A.assetlinks.json": statements,
            "well-known/assetlinks.json": "[ ]",
        ])
        let twice = written.replacing(
            fragments: [], parts: [part("A", statements)], folder: "h")
        #expect(twice.problems.document.map(\.code) == ["site-sibling-twice"])
        #expect(text(twice) == "[ ]")
        let none = written.replacing(fragments: [], parts: [], folder: "h")
        #expect(none.problems.document.isEmpty)
    }

    @Test func aLostHostHasItsReasonAndNothingElse() throws {
        let why = Diagnostic(code: "x", severity: .error, message: "gone", file: "site/h")
        let lost = HostSource.lost("h", place: "site/h", kept: KeptHost(), because: why)
        #expect(lost.lostBecause == why && lost.problems.all.isEmpty)
        guard case .none = lost.document else {
            Issue.record("a document of nothing")
            return
        }
        #expect(lost.siblings.isEmpty && lost.settings == HostSettings())
        #expect(lost.settingsPlace == "site/h/host.json")
        #expect(lost.siblingsPlace == "site/h/well-known")
    }

    @Test func problemsAreListedInOrder() {
        func finding(_ code: String) -> Diagnostic {
            Diagnostic(code: code, severity: .error, message: "", file: "")
        }
        var problems = HostProblems()
        problems.siblings = ["b": [finding("5"), finding("6")], "a": [finding("4")]]
        problems.document = [finding("2"), finding("3")]
        problems.settings = [finding("1")]
        #expect(problems.all.map(\.code) == ["1", "2", "3", "4", "5", "6"])
    }
}
