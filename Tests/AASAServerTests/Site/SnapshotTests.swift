// Covers: Publication.swift
import HTTP
import TestSupport
import Testing

@testable import AASAServer

@Suite struct SnapshotTests {
    private func response(_ text: String, status: Int = 200) -> PreparedResponse {
        PreparedResponse(status: status, fields: [], body: Array(text.utf8))
    }

    private func host(_ name: String, aliases: [String] = []) -> ServedHost {
        ServedHost(
            name: name, aliases: aliases, association: .init(response(name), as: .json),
            siblings: [
                ServedSibling(name: "/.well-known/a", response: response("a")),
                ServedSibling(name: "/.well-known/b", response: response("b")),
            ], counters: HostCounters(host: name), facts: HostFacts())
    }

    private func snapshot(_ hosts: [ServedHost], defaultHost: Int?) -> Snapshot {
        Snapshot(
            generation: 1, hosts: hosts, certificates: [], defaultHost: defaultHost,
            notFound: response("", status: 404), unavailable: response("", status: 503))
    }

    private func find(_ snapshot: Snapshot, _ authority: String) -> Int? {
        Array(authority.utf8).withUnsafeBytes { snapshot.host(named: $0) }
    }

    @Test func hostsAreFoundByNameAndAlias() {
        let snapshot = snapshot(
            [host("a.example"), host("b.example", aliases: ["w.example", "a.example"])],
            defaultHost: nil)
        expectEqual(find(snapshot, "a.example"), 0)
        expectEqual(find(snapshot, "W.example:443"), 1)
        #expect(find(snapshot, "c.example") == nil)
        expectEqual(snapshot.host(named: "b.example")?.name, "b.example")
    }

    @Test(arguments: [
        ("example.com", 0), ("EXAMPLE.com", 0), ("example.com:8443", 0), ("example.com.", 0),
        ("example.com.:443", 0), ("www.example.com", 1), ("xn--bcher-kva.example", 2),
    ])
    func hostsAreFoundAsClientsWriteThem(authority: String, index: Int) {
        let hosts = ["example.com", "www.example.com", "xn--bcher-kva.example"]
        expectEqual(find(snapshot(hosts.map { host($0) }, defaultHost: nil), authority), index)
    }

    @Test(arguments: [
        "", ":", ".", ":443", "example.co", "example.comm", "[::1]:443", "[::1]", "a.example.com",
        "example.com..", "example.com:8443:1", "example.com@evil.example",
    ])
    func othersAreNotFound(authority: String) {
        #expect(find(snapshot([host("example.com")], defaultHost: nil), authority) == nil)
    }

    @Test func tenThousandHostsAreFound() {
        let hosts = (0..<10_000).map { host("host-\($0).example.com") }
        let snapshot = snapshot(hosts, defaultHost: nil)
        for index in hosts.indices {
            expectEqual(find(snapshot, hosts[index].name.uppercased()), index)
        }
        #expect(find(snapshot, "host-10000.example.com") == nil)
    }

    /// They differ in nothing but the signature; every other name has it.
    @Test func aliasesWithoutTheSignatureAreAnsweredApart() {
        let unsigned = ServedHost(
            name: "a.example", aliases: ["w.example"],
            association: .init(response("JSON"), as: .json), siblings: [],
            counters: HostCounters(host: "a.example"), facts: HostFacts())
        let host = ServedHost(
            name: "a.example", aliases: ["v.example", "w.example"],
            association: .init(response("DER"), as: .signed), siblings: [],
            counters: HostCounters(host: "a.example"), facts: HostFacts(), unsigned: unsigned)
        let snapshot = snapshot([host], defaultHost: 0)
        for name in ["a.example", "v.example"] {
            #expect(snapshot.host(named: name) === host)
            expectEqual(find(snapshot, name), 0)
        }
        #expect(snapshot.host(named: "w.example") === unsigned)
        #expect(find(snapshot, "w.example").map { snapshot.answering[$0] } === unsigned)
        expectEqual(find(snapshot, "x.example"), 0)
        expectEqual(snapshot.hosts.count, 1)
    }

    @Test func unknownNamesGoToTheDefaultHost() {
        let snapshot = snapshot([host("a.example"), host("b.example")], defaultHost: 1)
        expectEqual(find(snapshot, "c.example"), 1)
        expectEqual(find(snapshot, ""), 1)
        #expect(snapshot.host(named: "c.example") == nil)
    }

    @Test func siblingsAreFoundByExactPath() {
        let host = host("a.example")
        let find = { (path: String) in
            Array(path.utf8).withUnsafeBytes { host.sibling(at: $0) }.map { Array($0.body.bytes) }
        }
        expectEqual(find("/.well-known/b"), [98])
        #expect(find("/.well-known/B") == nil)
        #expect(find("/.well-known/") == nil)
    }

    @Test(arguments: [
        ("swcd (unknown version) CFNetwork/711.1.16 Darwin/14.0", true),
        ("swcd (unknown version) CFNetwork/711.5.6 Darwin/14.0.0", true),
        ("swcd (unknown version) CFNetwork/758.0.2 Darwin/15.0.0", false),
        ("AASA-Bot/1.0.0", false), ("CFNetwork/711", false), ("CFNetwork/7110.1", false),
        ("", false),
    ])
    func iOS8IsTold(userAgent: String, isSigned: Bool) {
        let auto = ServedAssociation(response("{}"), as: .json, forIOS8: response("0"))
        let (answer, counts) = Array(userAgent.utf8).withUnsafeBytes {
            auto.response(userAgent: $0)
        }
        expectEqual(Array(answer.body.bytes), (isSigned ? [48] : [123, 125]))
        expectEqual(counts, (isSigned ? .signed : .json))
    }

    @Test func withoutUserAgentTheAnswerIsJSON() {
        let auto = ServedAssociation(response("{}"), as: .json, forIOS8: response("0"))
        expectEqual(auto.response(userAgent: nil).counts, .json)
    }
}
