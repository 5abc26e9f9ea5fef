import AppSiteAssociation
import TestSupport
import Testing

@testable import AASAServer

@Suite struct HostTreeTests {
    typealias Group = HostTree.Group

    @Test(arguments: [
        ("host.json", Group.settings), ("apple-app-site-association", .document),
        ("teams/D3KQX62K1A.json", .document),
        ("teams/D3KQX62K1A.assetlinks.json", .sibling("assetlinks.json")),
        ("teams/D3KQX62K1A.webauthn.json", .sibling("webauthn")),
        ("well-known/assetlinks.json", .sibling("assetlinks.json")),
        ("well-known/sub/x", .sibling("sub/x")), ("teams/D3KQX62K1A.links.csv", nil),
        ("teams/notes", nil), ("links.csv", nil), ("README.md", nil),
    ])
    func everyServedFileIsOfOneGroup(path: String, group: Group?) {
        expectEqual(Group(path: path), group)
        if let group { expectEqual(Group(path: group.path), group) }
    }

    @Test func aGroupIsReplacedAsAWhole() {
        let problem = Diagnostic(code: "x", severity: .error, message: "", file: "")
        var tree = HostTree(name: "h", place: "site/h")
        tree.files = [
            "teams/A.json": [1], "teams/A.assetlinks.json": [2], "well-known/webauthn": [3],
        ]
        tree.unread = ["teams/B.json": problem, "well-known/x": problem, "teams": problem]
        #expect(tree.shows(.document) && tree.shows(.sibling("x")) && !tree.shows(.settings))
        tree.replace(.document, with: ["teams/C.json": [4]])
        expectEqual(
            tree.files.keys.sorted(),
            [
                "teams/A.assetlinks.json", "teams/C.json", "well-known/webauthn",
            ])
        #expect(Set(tree.unread.keys) == ["well-known/x"] && tree.folders == ["teams"])
        // What remains of the teams is no document beside another one.
        tree.replace(.document, with: ["apple-app-site-association": [5]])
        #expect(tree.folders.isEmpty && tree.files["teams/A.assetlinks.json"] == [2])
        tree.replace(.sibling("webauthn"), with: [:])
        #expect(!tree.shows(.sibling("webauthn")) && tree.shows(.sibling("assetlinks.json")))
        expectEqual(tree.files(of: .document), ["apple-app-site-association": [5]])
    }

    @Test func keptBytesAreAFolder() {
        var kept = KeptHost()
        kept.files = ["host.json": [1], "teams/A.json": [2], "well-known/sub/x": [3]]
        let tree = kept.tree(name: "h", place: "site/h")
        #expect(tree.files == kept.files && tree.folders == ["teams"])
        expectEqual(kept.groups, [.settings, .document, .sibling("sub/x")])
        expectEqual(kept.files(of: .document), ["teams/A.json": [2]])
    }

    /// No folder has room for both, and what is kept is written to one.
    @Test func whatStandsInTheWayOfAGroupGoes() {
        var tree = HostTree(name: "a.example", place: "site/a.example")
        tree.files = ["well-known/sub": [1], "well-known/a/b": [1], "well-known/subs": [1]]
        tree.replace(.sibling("sub/x.json"), with: ["well-known/sub/x.json": [2]])
        tree.replace(.sibling("a"), with: ["well-known/a": [2]])
        expectEqual(
            tree.files.keys.sorted(),
            [
                "well-known/a", "well-known/sub/x.json", "well-known/subs",
            ])
    }
}
