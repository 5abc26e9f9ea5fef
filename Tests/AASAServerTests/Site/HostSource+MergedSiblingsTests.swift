import AppSiteAssociation
import TestSupport
import Testing

@testable import AASAServer

@Suite struct HostSourceMergedSiblingsTests {
    private func part(
        _ kind: SiblingPart.Kind, _ team: String, _ text: String
    ) -> SiblingPart {
        SiblingPart(
            kind: kind, team: team,
            source: SourceText(name: "h/teams/\(team)\(kind.ending)", text: text))
    }

    /// What becomes of a host with these parts.
    private struct Merged {
        let siblings: [SiblingSource]
        let problems: [String: [Diagnostic]]
        let warnings: [Diagnostic]
    }

    private func merged(
        _ parts: [SiblingPart], written: String? = nil, settings: String = "{}"
    ) -> Merged {
        var tree = HostTree(name: "h", place: "h")
        tree.folders = ["teams"]
        tree.files["host.json"] = Array(settings.utf8)
        for part in parts {
            tree.files["teams/\(part.team)\(part.kind.ending)"] = part.source.bytes
        }
        if let written { tree.files["well-known/\(written)"] = Array("[]".utf8) }
        let host = HostSource(tree)
        return Merged(
            siblings: host.siblings.filter(\.isMerged), problems: host.problems.siblings,
            warnings: host.problems.document.filter { $0.severity == .warning })
    }

    private let origins = #"{"origins":["https://a.example"]}"#

    private let one = #"[{"relation":["r"],"target":{"package_name":"a"}}]"#
    private let two = #"[{"relation":["r"],"target":{"package_name":"b"}}]"#

    @Test func mergesAndroidsHalfInTheSameOrder() throws {
        let host = try HostSource.made(
            #"{"order": ["B"]}"#,
            ["teams/A.assetlinks.json": one, "teams/B.assetlinks.json": two, "teams/A.json": "{}"])
        let sibling = try #require(host.siblings.first)
        #expect(sibling.name == "assetlinks.json" && sibling.isMerged)
        expectEqual(sibling.mediaType, "application/json")
        expectEqual(
            String(decoding: sibling.source.bytes, as: UTF8.self),
            String(two.dropLast()) + "," + String(one.dropFirst()))
    }

    @Test func aFileWrittenByHandIsServedAsItIs() throws {
        let host = try HostSource.made(
            "{}",
            [
                "teams/A.assetlinks.json": one, "well-known/assetlinks.json": "[ ]",
                "teams/A.json": "{}",
            ])
        expectEqual(host.siblings.map(\.isMerged), [false])
        expectEqual(host.problems.document.map(\.code), ["site-sibling-twice"])
    }

    @Test func aBrokenPartHoldsTheSiblingBackAlone() throws {
        let host = try HostSource.made(
            "{}", ["teams/A.assetlinks.json": "[", "teams/A.json": "{}"])
        #expect(host.siblings.isEmpty)
        expectEqual(host.problems.siblings["assetlinks.json"]?.isEmpty, false)
        #expect(host.problems.document.isEmpty)
    }

    /// Each kind by itself: what one lacks does not hold the other back.
    @Test func eachKindIsADocumentOfItsOwn() {
        let both = merged([part(.assetLinks, "A", one), part(.webAuthn, "A", origins)])
        expectEqual(both.siblings.map(\.name), ["assetlinks.json", "webauthn"])
        #expect(both.siblings.allSatisfy { $0.isMerged })
        #expect(both.problems.isEmpty && both.warnings.isEmpty)
        let broken = merged([part(.assetLinks, "A", "["), part(.webAuthn, "A", origins)])
        expectEqual(broken.siblings.map(\.name), ["webauthn"])
        expectEqual(Set(broken.problems.keys), ["assetlinks.json"])
        #expect(merged([]).siblings.isEmpty)
    }

    @Test func aTypeOfTheSettingsComesFirst() {
        let typed = merged(
            [part(.assetLinks, "A", one), part(.webAuthn, "A", origins)],
            settings: #"{"types":{"webauthn":"text/x"}}"#)
        expectEqual(typed.siblings.map(\.mediaType), ["application/json", "text/x"])
    }

    /// The file that is served stands in the way of that kind alone.
    @Test func whatIsWrittenByHandIsSaidWithItsFile() throws {
        let found = merged(
            [part(.assetLinks, "A", one), part(.webAuthn, "A", origins)],
            written: "assetlinks.json")
        expectEqual(found.siblings.map(\.name), ["webauthn"])
        let warning = try #require(found.warnings.first)
        #expect(found.warnings.count == 1 && warning.severity == .warning)
        expectEqual(warning.code, "site-sibling-twice")
        expectEqual(warning.file, "h/teams/A.assetlinks.json")
        expectEqual(warning.related.map(\.file), ["h/well-known/assetlinks.json"])
        #expect(merged([], written: "webauthn").warnings.isEmpty, "nothing is held back")
    }

    /// Two teams that state the same package with other certificates: whose app is it?
    @Test func aConflictKeepsTheLastGoodDocument() {
        func statement(_ print: String) -> String {
            """
            [{"relation":["delegate_permission/common.handle_all_urls"],"target":{"namespace":\
            "android_app","package_name":"a","sha256_cert_fingerprints":["\(print)"]}}]
            """
        }
        let prints = ["00", "11"].map {
            Array(repeating: $0, count: 32).joined(separator: ":")
        }
        let found = merged([
            part(.assetLinks, "A", statement(prints[0])),
            part(.assetLinks, "B", statement(prints[1])),
        ])
        expectEqual(found.siblings.isEmpty, (found.problems["assetlinks.json"] != nil))
        #expect(!(found.problems["assetlinks.json"] ?? found.warnings).isEmpty)
    }

    @Test func togetherTheyAreNoLargerThanAFileByHand() {
        func statements(_ name: String, _ count: Int) -> String {
            let filler = String(repeating: name, count: count)
            return #"[{"relation":["r"],"target":{"package_name":"\#(filler)"}}]"#
        }
        let half = SiteLimits.siblingBytesMaximum / 2
        let small = merged([
            part(.assetLinks, "A", statements("a", half - 200)),
            part(.assetLinks, "B", statements("b", half - 200)),
        ])
        #expect(small.siblings.count == 1 && small.problems.isEmpty)
        let large = merged([
            part(.assetLinks, "A", statements("a", half)),
            part(.assetLinks, "B", statements("b", half)),
        ])
        #expect(large.siblings.isEmpty)
        let problem = large.problems["assetlinks.json"]?.first
        #expect(problem?.code == "site-sibling-refused" && problem?.severity == .error)
        expectEqual(problem?.message.contains("\(SiteLimits.siblingBytesMaximum)"), true)
    }
}
