import Foundation
import TestSupport
import Testing

@Suite struct NginxConfigurationTests {
    @Test func takesAnNginxTree() throws {
        let folder = try ImportSource.folder([
            "etc/nginx/sites-enabled/shop": """
            server {
                server_name other.example;
                location = /.well-known/apple-app-site-association { return 404; }
            }
            server {
                server_name example.com www.example.com;   # the shop
                root /var/www/shop;
                location = /apple-app-site-association { proxy_pass http://app; }
                location ~ ^/\\.well-known/apple-app-site-association$ {
                    default_type application/json;
                    alias /srv/aasa.json;
                }
            }
            """,
            "srv/aasa.json": ImportSource.document,
        ])
        try ImportSource.imports(folder, "etc")
    }

    @Test func takesTheTextOfAReturn() throws {
        let folder = try ImportSource.folder([
            "nginx.conf": """
            http { server { server_name example.com;
              location /apple-app-site-association {
                return 200 '{"webcredentials": {"apps": ["D3KQX62K1A.com.example.shop"]}}'; } } }
            """
        ])
        try ImportSource.imports(
            folder, "nginx.conf",
            as: #"{"webcredentials": {"apps": ["D3KQX62K1A.com.example.shop"]}}"#)
    }

    private static func text(_ app: String) -> String {
        #"{"webcredentials": {"apps": ["D3KQX62K1A.com.example.\#(app)"]}}"#
    }

    /// Imports a server whose locations stand in a file of sites-available, and expects `wanted`.
    private func expect(
        _ locations: String, _ files: [String: String] = [:], status: Int32 = 0,
        says: String? = nil
    ) throws {
        let folder = try ImportSource.folder(
            files.merging([
                "ng/sites-available/shop": """
                server { server_name example.com; root /www;
                \(locations)
                }
                """
            ]) { one, _ in one })
        let target = folder.path("site/example.com")
        let done = try Tool.aasa(["import", folder.path("ng/sites-available/shop"), target])
        #expect(done.status == status, "\(done)")
        if let says { #expect(done.stderr.contains(says), "\(done)") }
        guard status != 3 else { return }
        let taken = try folder.read("site/example.com/teams/D3KQX62K1A.json")
        #expect(String(decoding: taken, as: UTF8.self) == Self.text("served"), "\(done)")
    }

    private static func location(_ path: String, _ app: String) -> String {
        "location \(path) { return 200 '\(text(app))'; }\n"
    }

    /// Devices read /.well-known/ and nothing else, wherever it stands in the configuration.
    @Test func takesTheDocumentThatDevicesRead() throws {
        let root = Self.location("= /apple-app-site-association", "old")
        let served = Self.location("= /.well-known/apple-app-site-association", "served")
        try expect(root + served, status: 1, says: "shop:2 serves another document")
        try expect(served + root, status: 1, says: "shop:3 serves another document")
        try expect(served.replacingOccurrences(of: "= /", with: "=/"))
        try expect(Self.location("= /apple-app-site-association", "served") + served)
        try expect(
            "location = /.well-known/apple-app-site-association { return 301 /x; }"
                + Self.location("/apple-app-site-association", "served"),
            status: 1, says: "does not serve a file: return 301 /x")
    }

    /// Exact ones, `^~`, regular expressions in their order, prefixes.
    @Test func takesTheLocationThatNginxChooses() throws {
        let path = "/.well-known/apple-app-site-association"
        let ways = ["= \(path)", "^~ \(path)", "~* \(path)$", "~ ^\(path)", path]
        for (index, way) in ways.enumerated() {
            for other in ways[(index + 1)...] where !(way.hasPrefix("~") && other.hasPrefix("~")) {
                try expect(Self.location(other, "old") + Self.location(way, "served"))
            }
        }
        try expect(Self.location(ways[2], "served") + Self.location(ways[3], "old"))
        try expect(Self.location(ways[3], "served") + Self.location(ways[2], "old"))
    }

    @Test func takesTheFileThatIsTried() throws {
        let files = [
            "ng/www/static/aasa.json": Self.text("served"),
            "ng/www/.well-known/apple-app-site-association": Self.text("old"),
        ]
        func tries(_ files: String) -> String {
            "location = /.well-known/apple-app-site-association { try_files \(files); }"
        }
        try expect(tries("/nothing /static/aasa.json $uri =404"), files)
        try expect(tries("/static/aasa.json /static/$host.json =404"), files)
        try expect(tries("/static/$host.json $uri =404"), files, status: 3, says: "$host")
        try expect(tries("/nothing /static/aasa.json"), files, status: 3, says: "not there")
        try expect(tries("${uri} =404"), ["ng/www" + Self.path: Self.text("served")])
        try expect(
            "location = \(Self.path) { alias /www/static/aasa.json; try_files $uri =404; }", files)
    }

    private static let path = "/.well-known/apple-app-site-association"

    @Test func takesNoTextThatOnlyNginxCanFinish() throws {
        try expect(Self.location("= \(Self.path)", "$host"), status: 3, says: "a variable, $host")
        // It returns before it looks for a location, and for the file, wherever those stand.
        try expect(
            Self.location("= \(Self.path)", "old") + "return 301 https://www.example.com;",
            status: 3, says: "return 301 https")
        try expect(
            "location = \(Self.path) { alias /www/a; return 404; }",
            ["ng/www/a": Self.text("old")], status: 3, says: "return 404")
    }
}
