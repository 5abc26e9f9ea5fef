import TestSupport
import Testing

@Suite(.enabled(if: EtcdProcess.isInstalled, "etcd-server and etcd-client are not installed"))
struct FleetStatusTests {
    private let bed: FleetBed
    private static let hash = String(repeating: "a", count: 64)

    init() throws { bed = try FleetBed() }

    /// A machine's record as it writes it, without the machine.
    private func machine(
        _ name: String, serves: Int, channel: String = "stable", _ more: String = ""
    ) throws {
        let identity = try identity(serves)
        let record =
            #"{"format":1,"machine":"\#(name)","version":"1","channel":"\#(channel)","#
            + #""serves":{"revision":\#(serves),"sha256":"\#(identity)"},"since":0,"#
            + #""refused":null,\#(more)"health":"well","healthReason":null,"#
            + #""answeredPerSecond":7,"unavailablePerSecond":2,"certificateEnd":1900000000,"#
            + #""time":0}"#
        try bed.etcd.control(["put", "/aasa/web/machines/\(name)", record])
    }

    /// The hash of a published revision, from the store itself.
    private func identity(_ number: Int) throws -> String {
        let text = try bed.etcd.control([
            "get", "--print-value-only", "/aasa/web/channels/stable",
        ]).stdout
        guard text.contains("\"revision\":\(number),"),
            let match = text.firstMatch(of: #/"sha256":"([0-9a-f]{64})"/#)
        else { return Self.hash }
        return String(match.1)
    }

    @Test func withoutAnythingItSaysSo() throws {
        let result = try bed.fleet("status")
        expectEqual(result.status, 1)
        expectEqual(result.stdout, "nothing was published, and no machine reports\n", "\(result)")
    }

    @Test func aChannelWithoutMachinesIsNotServed() throws {
        let options = ["publish", bed.site.site, "--note", "why", "--author", "ann"]
        try expectEqual(bed.fleet(options).status, 0)
        let result = try bed.fleet("status")
        expectEqual(result.status, 1)
        #expect(result.stdout.hasPrefix("stable: revision 1, publish by ann at "), "\(result)")
        #expect(result.stdout.contains(": why\n  no machine follows it\n"), "\(result)")
    }

    @Test func allHaveToServeItAndBeThere() throws {
        try expectEqual(bed.fleet("publish", bed.site.site).status, 0)
        try machine("m1", serves: 1)
        let one = try bed.fleet("status")
        #expect(one.status == 0 && one.stdout.contains("  1 of 1 serves 1, for "), "\(one)")
        #expect(one.stdout.contains("  m1: 1 since 1970-01-01"), "\(one)")
        #expect(
            one.stdout.contains(
                ", well, 7 answers/s, 2 503s/s, certificates until 2030-03-17\n"), "\(one)")
        try expectEqual(bed.fleet("status", "--expect", "2").status, 1)
        try expectEqual(bed.fleet("status", "--expect", "2", "--wait", "1").status, 1)
        // One that is behind.
        try machine("m2", serves: 0)
        let two = try bed.fleet("status")
        #expect(two.status == 1 && two.stdout.contains("1 of 2 serves 1, 1 serves 0"), "\(two)")
        // Another channel's machines are its own.
        try expectEqual(bed.fleet("status", "--channel", "canary").status, 1)
    }

    @Test func refusalsAndDamageAreNamed() throws {
        try expectEqual(bed.fleet("publish", bed.site.site).status, 0)
        try machine(
            "m1", serves: 0, #""damaged":{"revision":1,"reason":"site/a/x: it is gone"},"#)
        let damaged = try bed.fleet("status")
        expectEqual(damaged.status, 1)
        #expect(
            damaged.stdout.contains(
                "    1 is damaged on its disk, 0 is served instead: site/a/x: it is gone\n"),
            "\(damaged)")
        let json = try bed.fleet("status", "--format", "json")
        #expect(json.status == 1 && json.stdout.contains("site/a/x: it is gone"), "\(json)")
        #expect(json.stdout.contains("\"united\": false"), "\(json)")
    }

    @Test func aChannelThatMachinesFollowAndNobodyMadeIsSaid() throws {
        try expectEqual(bed.fleet("publish", bed.site.site).status, 0)
        try machine("m1", serves: 1)
        try machine("m2", serves: 1, channel: "stabel")
        let result = try bed.fleet("status")
        expectEqual(result.status, 1)
        #expect(
            result.stdout.contains(
                "stabel: nothing published: run aasa fleet publish SITE --channel stabel, or "
                    + "correct --channel of its machines\n"), "\(result)")
        try expectEqual(bed.fleet("status", "--channel", "stable").status, 0)
    }

    @Test func whatCannotBeReadIsNoUnity() throws {
        try expectEqual(bed.fleet("publish", bed.site.site).status, 0)
        try machine("m1", serves: 1)
        try bed.etcd.control(["put", "/aasa/web/machines/m2", "{}"])
        let record = try bed.fleet("status")
        #expect(
            record.status == 1 && record.stdout.contains("/aasa/web/machines/m2: "), "\(record)")
        try bed.etcd.control(["put", "/aasa/web/channels/canary", "{}"])
        let pointer = try bed.fleet("status")
        #expect(pointer.stdout.contains("channel canary: "), "\(pointer)")
    }

    @Test(arguments: [("x", 2), ("1h", 2), ("-1", 2), ("90000", 2), ("0ms", 1), ("0m", 1)])
    func timesAreRead(_ text: String, _ status: Int32) throws {
        let result = try bed.fleet("status", "--wait=\(text)")
        expectEqual(result.status, status, "\(result)")
        expectEqual(result.stderr.contains("--wait requires a time"), (status == 2), "\(result)")
    }

    @Test func aStoreThatIsAwayIsNoVerdict() throws {
        bed.etcd.kill()
        let result = try bed.fleet("status")
        #expect(result.status == 3 && result.stderr.contains("fix: "), "\(result)")
    }
}
