import AppSiteAssociation
import TestSupport
import Testing

@testable import AASAServer

@Suite struct HostSourceParsingTests {
    private func source(
        _ files: [String: String], _ change: (inout HostTree) -> Void = { _ in }
    ) -> HostSource {
        var tree = HostTree(name: "h", place: "site/h")
        tree.files = files.mapValues { Array($0.utf8) }
        if files.keys.contains(where: { $0.hasPrefix("teams/") }) { tree.folders = ["teams"] }
        change(&tree)
        return HostSource(tree)
    }

    private func codes(_ source: HostSource) -> [String] { source.problems.all.map(\.code) }

    private let problem = Diagnostic(code: "unread", severity: .error, message: "", file: "f")

    @Test func bytesBecomeSettingsDocumentAndSiblings() {
        let host = source([
            "host.json": #"{"order":["B"],"types":{"x":"text/x-one"}}"#, "teams/A.json": "{}",
            "teams/B.json": "{}", "teams/A.links.csv": "", "links.json": "[]",
            "well-known/x": "1", "well-known/sub/y.json": "{}",
        ])
        guard case .fragments(let sources) = host.document else {
            Issue.record("no fragments")
            return
        }
        expectEqual(sources.map(\.name), ["site/h/teams/B.json", "site/h/teams/A.json"])
        expectEqual(host.siblings.map(\.name), ["sub/y.json", "x"])
        expectEqual(host.siblings.map(\.mediaType), ["application/json", "text/x-one"])
        #expect(host.links.map(\.team) == [nil, "A"] && codes(host).isEmpty)
    }

    @Test func whatIsNotReadIsAProblemOfItsPart() {
        let host = source(["teams/A.json": "{}", "well-known/x": "1"]) {
            $0.unread = [
                "host.json": problem, "teams/B.json": problem, "well-known/sub": problem,
                "links.csv": problem, "teams/A.webauthn.json": problem,
            ]
            $0.folders.insert("well-known/sub")
            $0.strangers = ["wellknown", "teams/A.txt", "README.md"]
        }
        expectEqual(host.problems.settings, [problem])
        expectEqual(
            host.problems.document.map(\.code),
            [
                "site-unknown-entry", "unread", "site-not-a-fragment", "unread",
            ])
        expectEqual(host.problems.document.map(\.severity), [.warning, .warning, .warning, .error])
        expectEqual(Set(host.problems.siblings.keys), ["sub/", "webauthn"])
        expectEqual(host.siblings.map(\.name), ["x"])
    }

    /// The teams' parts are served beside either document, and without one.
    @Test(arguments: ["none", "two", "closed"])
    func partsNeedNoDocument(what: String) {
        let part = #"[{"relation":["r"],"target":{"package_name":"a"}}]"#
        let host = source(["teams/A.assetlinks.json": part]) { tree in
            if what == "two" { tree.files["apple-app-site-association"] = Array("{}".utf8) }
            if what == "closed" {
                tree.folders = []
                tree.unread = ["teams": problem]
            }
        }
        guard case .none = host.document else {
            Issue.record("a document of nothing")
            return
        }
        let expected = [
            "none": "site-no-document", "two": "site-two-documents", "closed": "unread",
        ]
        expectEqual(codes(host), [expected[what]])
        expectEqual(host.siblings.map(\.name), ["assetlinks.json"])
    }

    @Test func aFolderThatCannotBeReadSaysNothing() {
        let host = source([:]) { $0.unread = ["": problem] }
        #expect(host.problems.settings == [problem] && codes(host) == ["unread"])
        expectEqual(host.inForce, HostSettings())
        // Nor do settings with a fault.
        expectEqual(source(["host.json": #"{"form":"auto","x":1}"#]).inForce, HostSettings())
    }
}
