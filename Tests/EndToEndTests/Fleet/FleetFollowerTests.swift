// Covers: FleetCommand.swift

import Foundation
import Glibc
import TestSupport
import Testing

/// Machines of a fleet before a real etcd.
@Suite(.enabled(if: EtcdProcess.isInstalled, "etcd-server and etcd-client are not installed"))
struct FleetFollowerTests {
    private let bed: FleetBed

    init() throws { bed = try FleetBed() }

    @Test func aPublicationIsServedByEveryMachineAndTakenBack() throws {
        let first = try bed.fleet("publish", bed.site.site, "--note", "first")
        expectEqual(first.status, 0, "\(first)")
        let one = try bed.serve("m1")
        let two = try bed.serve("m2")
        let both = try bed.fleet("status", "--wait", "60s", "--expect", "2")
        #expect(both.status == 0 && both.stdout.contains("2 of 2 serve 1"), "\(both)")
        try bed.change("/new/*")
        try expectEqual(bed.fleet("publish", bed.site.site).status, 0)
        try expectEqual(bed.fleet("status", "--wait", "60s", "--expect", "2").status, 0)
        for server in [one, two] { #expect(try bed.document(server).contains("/new/*")) }
        try expectEqual(bed.fleet("rollback", "1", "--note", "oops").status, 0)
        try expectEqual(bed.fleet("status", "--wait", "60s", "--expect", "2").status, 0)
        #expect(try !bed.document(one).contains("/new/*"))
        try expectEqual(one.metric("aasa_fleet_revision"), 1)
        try expectEqual(one.metric("aasa_fleet_current"), 1)
        // A machine that ends leaves the list at once; with its lease if it was held for so long
        // that it could not say so.
        let began = ContinuousClock.now
        expectEqual(two.stop(), 0)
        func isAlone() throws -> Bool {
            try bed.fleet("status").stdout.contains("1 of 1 serves 1")
        }
        if ContinuousClock.now - began < .seconds(1) {
            #expect(try isAlone())
        } else {
            #expect(try eventually { try isAlone() })
        }
    }

    @Test func withoutEtcdAMachineServesOnAndStarts() throws {
        try expectEqual(bed.fleet("publish", bed.site.site).status, 0)
        let first = try bed.serve("m1")
        bed.etcd.kill()
        try expectEqual(first.client().get().status, 200)
        expectEqual(first.stop(), 0)
        let again = try bed.serve("m1")
        try expectEqual(again.client().get().status, 200)
        #expect(eventually { again.log.contains("keeps serving its revision") })
        // It comes back, and is followed again.
        try bed.etcd.restart()
        try bed.change("/back/*")
        try expectEqual(bed.fleet("publish", bed.site.site).status, 0)
        let status = try bed.fleet("status", "--wait", "60s")
        expectEqual(status.status, 0, "\(status)\n\(again.log)")
        #expect(try bed.document(again).contains("/back/*"))
    }

    /// Whatever somebody puts into the store: nobody serves it, everybody says why.
    @Test func damageInTheStoreIsRefusedByEveryMachine() throws {
        try expectEqual(bed.fleet("publish", bed.site.site).status, 0)
        let one = try bed.serve("m1")
        try expectEqual(bed.fleet("status", "--wait", "60s").status, 0)
        let before = try bed.document(one)
        // Published as it should be, and spoiled before the machine wakes up.
        one.signal(SIGSTOP)
        try bed.change("/poisoned/*")
        try expectEqual(bed.fleet("publish", bed.site.site).status, 0)
        let keys = try bed.etcd.control(["get", "--prefix", "/aasa/web/blobs/", "--keys-only"])
        for key in keys.stdout.split(separator: "\n") {
            let value = try bed.etcd.control(["get", "--print-value-only", String(key)]).stdout
            if value.contains("/poisoned/*") {
                try bed.etcd.control(["put", String(key), "{\"poison\":true}"])
            }
        }
        one.signal(SIGCONT)
        let isRefused = try eventually {
            try bed.fleet("status").stdout.contains("rejected 2: ")
        }
        #expect(isRefused, "\(one.log)")
        try expectEqual(bed.document(one), before)
        try expectEqual(bed.fleet("status").status, 1)
        try expectEqual(bed.fleet("rollback", "1").status, 0)
        try expectEqual(bed.fleet("status", "--wait", "60s").status, 0)
        // The pointer itself.
        try bed.etcd.control(["put", "/aasa/web/channels/stable", "{}"])
        let isNoticed = try eventually { try one.metric("aasa_fleet_refused") == 1 }
        #expect(isNoticed, "\(one.log)")
        try expectEqual(bed.document(one), before)
    }

    /// A file of what was served is lost while etcd is away: the revision before is served, four
    /// places say so, and the lost one comes back with etcd.
    @Test func damageOnTheDiskIsSaidAndMended() throws {
        try expectEqual(bed.fleet("publish", bed.site.site).status, 0)
        let first = try bed.serve("m1")
        try bed.change("/second/*")
        try expectEqual(bed.fleet("publish", bed.site.site).status, 0)
        try expectEqual(bed.fleet("status", "--wait", "60s").status, 0)
        expectEqual(first.stop(), 0)
        let current = bed.state("m1") + "/fleet/web/current"
        let lost = "site/example.com/teams/\(SampleSite.teams[0]).json"
        try FileManager.default.removeItem(atPath: "\(current)/\(lost)")
        bed.etcd.kill()
        let again = try bed.serve("m1")
        #expect(try !bed.document(again).contains("/second/*"))
        #expect(again.log.contains("revision 2 is damaged on this machine's disk (\(lost): "))
        #expect(again.log.contains("serving revision 1 instead"))
        try expectEqual(again.metric("aasa_fleet_damaged"), 1)
        try expectEqual(again.metric("aasa_fleet_current"), 0)
        let page = try Tool.run("curl", ["-s", "http://\(again.adminAddress)/status.json"]).stdout
        #expect(page.contains("revision 2 is damaged"), "\(page)")
        try bed.etcd.restart()
        let status = try bed.fleet("status", "--wait", "60s")
        expectEqual(status.status, 0, "\(status)\n\(again.log)")
        #expect(try bed.document(again).contains("/second/*"))
        try expectEqual(again.metric("aasa_fleet_damaged"), 0)
    }

    /// Deleted under a machine that serves: it serves on, and says so.
    @Test func aChannelThatIsNotThereIsSaid() throws {
        try expectEqual(bed.fleet("publish", bed.site.site).status, 0)
        let server = try bed.serve("m1")
        try expectEqual(bed.fleet("status", "--wait", "60s").status, 0)
        try bed.etcd.control(["del", "/aasa/web/channels/stable"])
        let isSaid = try eventually {
            try server.metric("aasa_fleet_channel_missing") == 1
        }
        #expect(isSaid, "\(server.log)")
        try expectEqual(server.metric("aasa_fleet_current"), 0)
        try expectEqual(server.client().get().status, 200)
        #expect(server.log.contains("etcd has no channel stable of web, still serving 1"))
        let status = try bed.fleet("status")
        expectEqual(status.status, 1, "\(status)")
        #expect(status.stdout.contains("stable: nothing published: run aasa fleet publish"))
    }

    @Test func certificatesComeEncryptedAndAreServed() throws {
        let key = bed.site.folder.path("fleet.key")
        try expectEqual(bed.fleet("key", key).status, 0)
        let published = try bed.fleet(
            "publish", bed.site.site, "--certs", bed.site.certs, "--fleet-key", key)
        expectEqual(published.status, 0, "\(published)")
        let server = try bed.serve("m1", ["--fleet-key", key], ownCertificates: false)
        try expectEqual(server.client().get().status, 200)
        // Two keys at once, and then the new one alone.
        try expectEqual(bed.fleet("key", key, "--add").status, 0)
        let again = try bed.fleet(
            "publish", bed.site.site, "--certs", bed.site.certs, "--fleet-key", key)
        #expect(again.stdout.contains("revision 2"), "\(again)")
        // The machine has the old key alone until it is restarted: it refuses, and serves on.
        let isRefused = try eventually {
            try bed.fleet("status").stdout.contains("no key on this machine decrypts it")
        }
        #expect(isRefused, "\(server.log)")
        try expectEqual(server.client().get().status, 200)
        expectEqual(server.stop(), 0)
        let next = try bed.serve("m1", ["--fleet-key", key], ownCertificates: false)
        try expectEqual(bed.fleet("status", "--wait", "60s").status, 0, "\(next.log)")
    }
}
