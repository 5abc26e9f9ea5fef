import Foundation
import TestSupport
import Testing

@Suite struct AppCommandTests {
    private static let team = "D3KQX62K1A"
    private static let fragment = """
        {
            "applinks": {
                "details": [
                    { "appIDs": ["D3KQX62K1A.com.example.shop"], "components": [{ "/": "/buy/*" }] }
                ]
            },
            "webcredentials": { "apps": ["D3KQX62K1A.com.example.shop"] }
        }

        """

    private func site() throws -> TemporaryFolder {
        let folder = try TemporaryFolder("app")
        try folder.write("example.com/teams/\(Self.team).json", Self.fragment)
        return folder
    }

    private func fragment(_ site: TemporaryFolder, _ team: String = Self.team) throws -> String {
        String(decoding: try site.read("example.com/teams/\(team).json"), as: UTF8.self)
    }

    @Test(arguments: [
        (
            ["add", "HOST", "com.example.app", "--service", "appclips"], Int32(2),
            "prefix is missing"
        ),
        (["add", "HOST", "D3KQX62K1A.com.a"], 2, "say what for"),
        (["add", "HOST", "D3KQX62K1A.com.a", "--service", "applinks"], 2, "needs rules"),
        (["add", "HOST", "D3KQX62K1A.com.a", "--service", "links"], 2, "is not a service"),
        (["add", "HOST", "D3KQX62K1A.com.a", "--path", "buy"], 2, "begins with a slash"),
        (
            ["add", "HOST", "D3KQX62K1A.com.a", "--like", "D3KQX62K1A.com.b"], 1,
            "no universal links"
        ),
        (
            ["add", "HOST", "D3KQX62K1A.com.example.shop", "--service", "webcredentials"], 1,
            "already"
        ),
        (["remove", "HOST", "D3KQX62K1A.com.a"], 1, "listed nowhere"),
        (
            ["remove", "HOST", "D3KQX62K1A.com.example.shop", "--service", "appclips"], 1,
            "not listed"
        ),
        (["list", "HOST/missing"], 3, "no such folder"), (["rename", "HOST"], 2, "unexpected"),
    ]) func saysWhatIsWrong(_ arguments: [String], _ status: Int32, _ message: String) throws {
        let site = try site()
        let result = try Tool.aasa(
            ["app"]
                + arguments.map {
                    $0.replacingOccurrences(of: "HOST", with: site.path("example.com"))
                })
        expectEqual(result.status, status, "\(result)")
        #expect(result.stderr.contains(message), "\(result)")
        try expectEqual(fragment(site), Self.fragment)
    }
}
