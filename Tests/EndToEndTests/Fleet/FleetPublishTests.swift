import Foundation
import TestSupport
import Testing

@Suite(.enabled(if: EtcdProcess.isInstalled, "etcd-server and etcd-client are not installed"))
struct FleetPublishTests {
    private let bed: FleetBed

    init() throws { bed = try FleetBed() }

    private func publish(_ options: String...) throws -> Tool.Result {
        try bed.fleet(["publish", bed.site.site] + options)
    }

    @Test func aSiteIsPublishedOnceAndNumbered() throws {
        let first = try publish("--format", "json")
        #expect(first.status == 0 && first.stdout.contains("\"published\": true"), "\(first)")
        #expect(first.stdout.contains("\"revision\": 1") && first.stdout.contains("\"stable\""))
        // The same again is no revision.
        let same = try publish("--format", "json")
        #expect(same.status == 0 && same.stdout.contains("\"published\": false"), "\(same)")
        #expect(try publish().stdout.contains("serves exactly this already: revision 1"))
        try bed.change("/new/*")
        let second = try publish()
        #expect(
            second.stdout.contains("revision 2 published to stable: 5 files, ")
                && second.stdout.contains("on top of 1"), "\(second)")
        let canary = try publish("--channel", "canary")
        #expect(canary.stdout.contains("revision 3 published to canary"), "\(canary)")
        #expect(!canary.stdout.contains("on top of"), "\(canary)")
    }

    @Test func aDryRunSaysWhatWouldChangeAndChangesNothing() throws {
        let empty = try publish("--dry-run")
        #expect(empty.status == 0 && empty.stdout.contains("nothing"), "\(empty)")
        #expect(try bed.etcd.control(["get", "--prefix", "/aasa/"]).stdout.isEmpty)
        try expectEqual(publish().status, 0)
        let same = try publish("--dry-run")
        #expect(same.stdout.contains("channel stable serves exactly this: revision 1"), "\(same)")
        try bed.change("/new/*")
        let plan = try publish("--dry-run")
        #expect(plan.stdout.contains("/new/*"), "\(plan)")
        try expectEqual(bed.fleet("history").stdout.split(separator: "\n").count, 1)
    }

    /// Machines without certificates of their own could serve nothing.
    @Test func certificatesAreNotDroppedByMistake() throws {
        let key = bed.site.folder.path("fleet.key")
        try expectEqual(bed.fleet("key", key).status, 0)
        let sealed = ["--certs", bed.site.certs, "--fleet-key", key]
        try expectEqual(bed.fleet(["publish", bed.site.site] + sealed).status, 0)
        try bed.change("/new/*")
        for more in [[], ["--dry-run"]] {
            let bare = try bed.fleet(["publish", bed.site.site] + more)
            expectEqual(bare.status, 1, "\(bare)")
            #expect(bare.stderr.contains("revision 1: it holds certificates"), "\(bare)")
            #expect(bare.stderr.contains("--without-certs"), "\(bare)")
        }
        try expectEqual(bed.fleet(["publish", bed.site.site] + sealed).status, 0)
        // Nor by way of a channel that never had any.
        try expectEqual(publish("--channel", "canary").status, 0)
        let promoted = try bed.fleet("promote", "canary", "stable")
        expectEqual(promoted.status, 3, "\(promoted)")
        #expect(promoted.stderr.contains("channel stable: it holds certificates"), "\(promoted)")
        let meant = try publish("--without-certs")
        #expect(meant.stdout.contains("revision 4 published"), "\(meant)")
        #expect(try publish().stdout.contains("exactly this already: revision 4"))
    }

    @Test func whatHasErrorsIsNotPublished() throws {
        try bed.site.write("example.com/teams/\(SampleSite.teams[1]).json", "{")
        let broken = try publish()
        #expect(broken.status == 1 && broken.stderr.contains("json-truncated"), "\(broken)")
        #expect(broken.stderr.contains("nothing was published"), "\(broken)")
        #expect(try bed.etcd.control(["get", "--prefix", "/aasa/"]).stdout.isEmpty)
    }

    @Test func aChangeCanSayWhatItWasMadeOn() throws {
        let none = try publish("--parent", "1")
        expectEqual(none.status, 1)
        #expect(none.stderr.contains("is at revision none, not at 1"), "\(none)")
        try expectEqual(publish().status, 0)
        try bed.change("/new/*")
        try expectEqual(publish("--parent", "1").status, 0)
        try bed.change("/newer/*")
        let stale = try publish("--parent", "1")
        expectEqual(stale.status, 1, "\(stale)")
        #expect(stale.stderr.contains("is at revision 2, not at 1"), "\(stale)")
    }

    @Test func certificatesWantAKeyAndAreSealed() throws {
        let missing = try publish("--certs", bed.site.certs)
        #expect(missing.status == 3 && missing.stderr.contains("--fleet-key"), "\(missing)")
        let key = bed.site.folder.path("fleet.key")
        try expectEqual(bed.fleet("key", key).status, 0)
        let published = try publish("--certs", bed.site.certs, "--fleet-key", key)
        expectEqual(published.status, 0, "\(published)")
        let stored = try bed.etcd.control(["get", "--prefix", "/aasa/"]).outputBytes
        #expect(!String(decoding: stored, as: UTF8.self).contains("PRIVATE KEY"))
    }
}
