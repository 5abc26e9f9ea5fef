import Foundation
import TestSupport
import Testing

/// What is tried before it is published, and before a machine serves it.
@Suite(.enabled(if: EtcdProcess.isInstalled, "etcd-server and etcd-client are not installed"))
struct FleetTrialTests {
    private let bed: FleetBed

    init() throws { bed = try FleetBed() }

    @Test func aSiteWithoutAHostIsNone() throws {
        let empty = try bed.site.folder.makeFolder("empty")
        let result = try bed.fleet("publish", empty)
        expectEqual(result.status, 1, "\(result)")
        #expect(result.stderr.contains("it contains no host"), "\(result)")
        #expect(result.stderr.contains("make a folder per host"), "\(result)")
    }

    /// Where certificates go along they are loaded as a machine would load them.
    @Test func aCertificateThatCannotBeServedIsNotPublished() throws {
        let key = bed.site.folder.path("fleet.key")
        try expectEqual(bed.fleet("key", key).status, 0)
        let chain = bed.site.certs + "/example.com/fullchain.pem"
        let other = bed.site.certs + "/other.example/fullchain.pem"
        try FileManager.default.removeItem(atPath: chain)
        try FileManager.default.copyItem(atPath: other, toPath: chain)
        let result = try bed.fleet(
            "publish", bed.site.site, "--certs", bed.site.certs, "--fleet-key", key)
        expectEqual(result.status, 1, "\(result)")
        #expect(result.stderr.contains("example.com"), "\(result)")
        #expect(try bed.etcd.control(["get", "--prefix", "/aasa/web/revisions"]).stdout.isEmpty)
    }

    /// A machine's own reason, by the file's place in the site and not by that of a folder on its
    /// disk.
    @Test func aMachineRefusesWhatItCannotLoad() throws {
        try expectEqual(bed.fleet("publish", bed.site.site).status, 0)
        let server = try bed.serve("m1")
        try expectEqual(bed.fleet("status", "--wait", "60s").status, 0)
        // Its --default-host.
        try FileManager.default.removeItem(atPath: bed.site.site + "/example.com")
        let published = try bed.fleet("publish", bed.site.site)
        expectEqual(published.status, 0, "\(published)")
        let isRefused = try eventually {
            try bed.fleet("status").stdout.contains("rejected 2: ")
        }
        let status = try bed.fleet("status").stdout
        #expect(isRefused, "\(status)\n\(server.log)")
        #expect(!status.contains(bed.state("m1")), "\(status)")
        try expectEqual(server.client().get().status, 200)
    }

    /// Its certificate comes when it is served: by `--acme`, or by whoever puts it there.
    @Test func aHostThatCannotBeSignedYetIsFollowed() throws {
        try expectEqual(bed.fleet("publish", bed.site.site).status, 0)
        let server = try bed.serve("m1")
        try expectEqual(bed.fleet("status", "--wait", "60s").status, 0)
        try bed.site.write("signed.example/host.json", #"{"form":"signed"}"#)
        try bed.site.write(
            "signed.example/apple-app-site-association",
            #"{"webcredentials":{"apps":["D3KQX62K1A.com.example.signed"]}}"#)
        let published = try bed.fleet("publish", bed.site.site)
        expectEqual(published.status, 0, "\(published)")
        let status = try bed.fleet("status", "--wait", "60s")
        expectEqual(status.status, 0, "\(status)\n\(server.log)")
        try expectEqual(server.client().get().status, 200)
    }
}
