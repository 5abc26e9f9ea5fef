import AASAFleet
import TestSupport
import Testing

@Suite struct FleetKeysTests {
    private let keys = FleetKeys(fleet: "web")

    /// What lies in etcd, of every release: `etcdctl` roles and backups count on it.
    @Test func theKeysAreAPromise() {
        expectEqual(keys.root, "/aasa/web/")
        expectEqual(keys.head, "/aasa/web/head")
        expectEqual(keys.channel("stable"), "/aasa/web/channels/stable")
        expectEqual(keys.revision(41), "/aasa/web/revisions/0000000041")
        expectEqual(keys.blob("ab"), "/aasa/web/blobs/ab")
        expectEqual(keys.machine("m1"), "/aasa/web/machines/m1")
        #expect(keys.channels == "/aasa/web/channels/" && keys.machines == "/aasa/web/machines/")
        #expect(keys.revisions == "/aasa/web/revisions/" && keys.blobs == "/aasa/web/blobs/")
    }

    @Test func keysSortAsNumbersDo() {
        let numbers: [Int64] = [0, 9, 10, 99, 100, 999_999_999, 1_000_000_000, 9_999_999_999]
        let made = numbers.map(keys.revision)
        expectEqual(made, made.sorted())
        // More digits than ten: whole, not cut.
        expectEqual(keys.revision(12_345_678_901), "/aasa/web/revisions/12345678901")
    }

    @Test(arguments: [
        "", ".", "..", "a/b", "a b", "ä", "a\n", "a:b", "@", "[", "`", "{",
        String(repeating: "a", count: 129),
    ])
    func whatCannotStandInKeysIsNoName(_ name: String) { #expect(!FleetKeys.isName(name)) }

    @Test(arguments: [
        "a", "z", "A", "Z", "0", "9", "...", "a.b-c_d", "m-1", String(repeating: "a", count: 128),
    ])
    func whatStandsInKeysAsItIsIsAName(_ name: String) { #expect(FleetKeys.isName(name)) }
}
