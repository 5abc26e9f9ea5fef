import TestSupport
import Testing

@Suite(.enabled(if: EtcdProcess.isInstalled, "etcd-server and etcd-client are not installed"))
struct FleetMovesTests {
    private let bed: FleetBed

    init() throws {
        bed = try FleetBed()
        for number in 1...2 {
            try bed.change("/\(number)/*")
            try expectEqual(bed.fleet("publish", bed.site.site).status, 0)
        }
    }

    @Test func aRollbackSaysWhatItChanged() throws {
        let moved = try bed.fleet("rollback", "1")
        expectEqual(moved.status, 0)
        expectEqual(moved.stdout, "channel stable serves revision 1 instead of 2\n", "\(moved)")
        let again = try bed.fleet("rollback", "1")
        expectEqual(again.status, 0)
        expectEqual(again.stdout, "channel stable serves revision 1 already\n", "\(again)")
        let misspelt = try bed.fleet("rollback", "1", "--channel", "stabel")
        expectEqual(misspelt.status, 3, "\(misspelt)")
        #expect(misspelt.stderr.contains("channel stabel: nothing was published"), "\(misspelt)")
        #expect(try !bed.fleet("status").stdout.contains("stabel"))
        let unknown = try bed.fleet("rollback", "7")
        expectEqual(unknown.status, 3, "\(unknown)")
        #expect(unknown.stderr.contains("revision 7: this revision does not exist"), "\(unknown)")
        #expect(unknown.stderr.contains("fix: run aasa fleet history"), "\(unknown)")
    }

    @Test func aPromotionGoesFromOneToTheOther() throws {
        let moved = try bed.fleet("promote", "stable", "canary")
        expectEqual(moved.status, 0)
        expectEqual(
            moved.stdout, "channel canary serves revision 2: it is a new channel\n", "\(moved)")
        try expectEqual(bed.fleet("rollback", "1", "--channel", "canary").status, 0)
        let back = try bed.fleet("promote", "canary", "stable")
        expectEqual(back.stdout, "channel stable serves revision 1 instead of 2\n", "\(back)")
        let empty = try bed.fleet("promote", "nightly", "stable")
        expectEqual(empty.status, 3, "\(empty)")
        #expect(empty.stderr.contains("channel nightly: nothing was published to it"), "\(empty)")
    }

    /// In haste nobody wants to find out on the machines that the store has lost a file.
    @Test func aDamagedRevisionIsNotMovedTo() throws {
        let keys = try bed.etcd.control(["get", "--prefix", "/aasa/web/blobs/", "--keys-only"])
        for key in keys.stdout.split(separator: "\n") {
            let value = try bed.etcd.control(["get", "--print-value-only", String(key)]).stdout
            if value.contains("/1/*") { try bed.etcd.control(["del", String(key)]) }
        }
        let refused = try bed.fleet("rollback", "1")
        #expect(refused.status == 3 && refused.stderr.contains("is missing"), "\(refused)")
        #expect(try bed.fleet("rollback", "2").stdout.contains("already"))
    }
}
