import Foundation
import TestSupport
import Testing

/// What of a folder is published: everything that the server would read, and nothing else.
@Suite(.enabled(if: EtcdProcess.isInstalled, "etcd-server and etcd-client are not installed"))
struct SiteFilesTests {
    private let bed: FleetBed

    init() throws { bed = try FleetBed() }

    /// The stored list names them.
    private func published(_ options: String...) throws -> Set<String> {
        let done = try bed.fleet(["publish", bed.site.site] + options)
        expectEqual(done.status, 0, "\(done)")
        let stored = try bed.etcd.control(["get", "--prefix", "/aasa/web/blobs/"]).stdout
        return Set(stored.matches(of: #/"path":"([^"]*)"/#).map { String($0.1) })
    }

    private static let site: Set<String> = Set(
        SampleSite.teams.map { "site/example.com/teams/\($0).json" } + [
            "site/example.com/well-known/assetlinks.json",
            "site/other.example/apple-app-site-association",
        ])

    @Test func hostsAreAndWhatIsHiddenOrLooseIsNot() throws {
        try bed.site.write("README.md", "loose")
        try bed.site.write(".git/config", "hidden")
        try bed.site.write("example.com/teams/.T.json.swp", "hidden")
        try expectEqual(published(), Self.site)
    }

    /// As deep as the server reads, and no deeper.
    @Test func theDeepestThatIsReadIsPublished() throws {
        try bed.site.write("example.com/well-known/acme-challenge/TOKEN", "token.print")
        try expectEqual(
            published(),
            Self.site.union(["site/example.com/well-known/acme-challenge/TOKEN"]))
    }

    /// A link that leads out of the site brings nobody's files along.
    @Test func whatLeadsElsewhereIsRefused() throws {
        let secret = try bed.site.folder.write("secret", "{}")
        try FileManager.default.createSymbolicLink(
            atPath: bed.site.site + "/example.com/well-known/leak.json",
            withDestinationPath: secret)
        let result = try bed.fleet("publish", bed.site.site)
        #expect(result.status != 0 && result.stderr.contains("leak.json"), "\(result)")
        #expect(try bed.etcd.control(["get", "--prefix", "/aasa/"]).stdout.isEmpty)
    }

    @Test func aFolderThatIsNotThereIsSaid() throws {
        let result = try bed.fleet("publish", bed.site.folder.path("none"))
        #expect(result.status == 3 && result.stderr.contains("no such folder"), "\(result)")
        let certificates = try bed.fleet(
            "publish", bed.site.site, "--certs", bed.site.folder.path("none"))
        expectEqual(certificates.status, 3, "\(certificates)")
    }

    @Test func chainsAndKeysGoAlongAndTheAuthoritysKeyStays() throws {
        let key = bed.site.folder.path("fleet.key")
        try expectEqual(bed.fleet("key", key).status, 0)
        let paths = try published("--certs", bed.site.certs, "--fleet-key", key)
        expectEqual(
            paths.subtracting(Self.site),
            Set(
                ["example.com", "other.example"].flatMap { host in
                    ["fullchain", "privkey", "fullchain-rsa", "privkey-rsa"].map {
                        "certs/\(host)/\($0).pem"
                    }
                }))
    }

    @Test func aChainWithoutItsKeyIsSaid() throws {
        let key = bed.site.folder.path("fleet.key")
        try expectEqual(bed.fleet("key", key).status, 0)
        try FileManager.default.removeItem(
            atPath: bed.site.certs + "/example.com/privkey.pem")
        let result = try bed.fleet(
            "publish", bed.site.site, "--certs", bed.site.certs, "--fleet-key", key)
        #expect(result.status != 0 && result.stderr.contains("example.com"), "\(result)")
    }

    /// lego's layout, and HAProxy's.
    @Test func certificatesBesideTheFoldersGoAlong() throws {
        let (certs, files) = (bed.site.certs, FileManager.default)
        for host in ["example.com", "other.example"] {
            let chain = try String(
                contentsOfFile: "\(certs)/\(host)/fullchain.pem", encoding: .utf8)
            let secret = try String(
                contentsOfFile: "\(certs)/\(host)/privkey.pem", encoding: .utf8)
            try files.removeItem(atPath: "\(certs)/\(host)")
            if host == "example.com" {
                try chain.write(toFile: "\(certs)/\(host).crt", atomically: true, encoding: .utf8)
                try secret.write(toFile: "\(certs)/\(host).key", atomically: true, encoding: .utf8)
            } else {
                try (chain + secret).write(
                    toFile: "\(certs)/\(host).pem", atomically: true, encoding: .utf8)
            }
        }
        let key = bed.site.folder.path("fleet.key")
        try expectEqual(bed.fleet("key", key).status, 0)
        let paths = try published("--certs", certs, "--fleet-key", key)
        let wanted: Set = [
            "certs/example.com.crt", "certs/example.com.key", "certs/other.example.pem",
        ]
        expectEqual(paths.subtracting(Self.site), wanted)
        try expectEqual(bed.fleet("verify", "--fleet-key", key).status, 0)
    }
}
