import Foundation
import TestSupport
import Testing

@Suite(.enabled(if: EtcdProcess.isInstalled, "etcd-server and etcd-client are not installed"))
struct FleetMaintenanceTests {
    private let bed: FleetBed

    init() throws { bed = try FleetBed() }

    private func publish(_ count: Int) throws {
        for number in 1...count {
            try bed.change("/\(number)/*")
            try expectEqual(bed.fleet("publish", bed.site.site).status, 0)
        }
    }

    @Test func pruningKeepsTheNewestAndWhatIsServed() throws {
        try publish(4)
        try expectEqual(bed.fleet("rollback", "1").status, 0)
        let plan = try bed.fleet("prune", "--keep", "1", "--dry-run")
        expectEqual(plan.status, 0)
        #expect(plan.stdout.hasPrefix("revisions to remove: 2 (2, 3), "), "\(plan)")
        #expect(plan.stdout.hasSuffix("; revisions kept: 2\n"), "\(plan)")
        #expect(try bed.fleet("history").stdout.contains("\n3  "))
        let done = try bed.fleet("prune", "--keep", "1")
        #expect(done.stdout.hasPrefix("revisions removed: 2 ("), "\(done)")
        let history = try bed.fleet("history").stdout
        #expect(history.hasPrefix("4  ") && history.contains("\n1  "), "\(history)")
        #expect(!history.contains("\n2  ") && !history.contains("\n3  "), "\(history)")
        try expectEqual(bed.fleet("verify").status, 0)
        let nothing = try bed.fleet("prune")
        expectEqual(
            nothing.stdout, "revisions removed: 0, files: 0; revisions kept: 2\n", "\(nothing)")
        try expectEqual(bed.fleet("prune", "--keep", "0").status, 2)
    }

    @Test func everythingThatIsStoredIsChecked() throws {
        try publish(1)
        let good = try bed.fleet("verify")
        #expect(good.status == 0 && good.stdout.hasPrefix("revisions: 1, "), "\(good)")
        #expect(good.stdout.hasSuffix("; all as published\n"), "\(good)")
        let key = try #require(
            bed.etcd.control(["get", "--prefix", "/aasa/web/blobs/", "--keys-only"]).stdout
                .split(separator: "\n").first)
        try bed.etcd.control(["del", String(key)])
        let damaged = try bed.fleet("verify")
        #expect(damaged.status == 1 && damaged.stdout.contains("is missing"), "\(damaged)")
        #expect(damaged.stdout.hasSuffix(" damaged\n"), "\(damaged)")
        // Publishing the same mends it.
        let mended = try bed.fleet("publish", bed.site.site)
        #expect(mended.stdout.contains("1 damaged file was repaired"), "\(mended)")
        try expectEqual(bed.fleet("verify").status, 0)
    }

    @Test func withTheKeyCertificatesAreOpenedAsWell() throws {
        let key = bed.site.folder.path("fleet.key")
        try expectEqual(bed.fleet("key", key).status, 0)
        let published = try bed.fleet(
            "publish", bed.site.site, "--certs", bed.site.certs, "--fleet-key", key)
        expectEqual(published.status, 0, "\(published)")
        try expectEqual(bed.fleet("verify", "--fleet-key", key).status, 0)
        let other = bed.site.folder.path("other.key")
        try expectEqual(bed.fleet("key", other).status, 0)
        try expectEqual(bed.fleet("verify", "--fleet-key", other).status, 1)
        try expectEqual(bed.fleet("verify").status, 0)
    }

    @Test func aKeyIsMadeOnceAndForItsOwnerAlone() throws {
        let key = bed.site.folder.path("fleet.key")
        try expectEqual(bed.fleet("key", key).status, 0)
        let mode = try FileManager.default.attributesOfItem(atPath: key)[.posixPermissions] as? Int
        expectEqual(mode, 0o600)
        let first = try String(contentsOfFile: key, encoding: .utf8)
        let again = try bed.fleet("key", key)
        #expect(again.status == 3 && again.stderr.contains("--add"), "\(again)")
        try expectEqual(String(contentsOfFile: key, encoding: .utf8), first)
        // The new one goes before the old one, which stays.
        let typo = try bed.fleet("key", key + "x", "--add")
        #expect(typo.status == 3 && typo.stderr.contains("no such file"), "\(typo)")
        try expectEqual(bed.fleet("key", key, "--add").status, 0)
        let both = try String(contentsOfFile: key, encoding: .utf8)
        #expect(both.hasSuffix(first.split(separator: "\n").last.map { "\($0)\n" } ?? "?"))
        #expect(both != first)
    }
}
