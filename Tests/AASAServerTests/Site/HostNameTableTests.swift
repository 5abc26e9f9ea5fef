import Testing

@testable import AASAServer

@Suite struct HostNameTableTests {
    private func find(_ table: HostNameTable, _ text: String) -> Int? {
        Array(text.utf8).withUnsafeBytes { table.find($0) }
    }

    @Test(arguments: [
        ("example.com", 0), ("EXAMPLE.com", 0), ("example.com:8443", 0), ("example.com.", 0),
        ("example.com.:443", 0), ("www.example.com", 1), ("xn--bcher-kva.example", 2),
    ])
    func findsHostsAsClientsWriteThem(authority: String, value: Int) {
        let table = HostNameTable([
            ("example.com", 0), ("www.example.com", 1), ("xn--bcher-kva.example", 2),
        ])
        #expect(find(table, authority) == value)
    }

    @Test(arguments: [
        "", ":", ".", ":443", "example.co", "example.comm", "[::1]:443", "[::1]", "a.example.com",
        "example.com..", "example.com:8443:1", "example.com@evil.example",
    ])
    func doesNotFindOthers(authority: String) {
        let table = HostNameTable([("example.com", 0)])
        #expect(find(table, authority) == nil)
    }

    @Test func theFirstOfTwoEqualNamesHolds() {
        let table = HostNameTable([("a.example", 3), ("a.example", 4)])
        #expect(find(table, "a.example") == 3)
    }

    @Test func holdsTenThousandHosts() {
        let pairs = (0..<10_000).map { (name: "host-\($0).example.com", value: $0) }
        let table = HostNameTable(pairs)
        for (name, value) in pairs { #expect(find(table, name.uppercased()) == value) }
        #expect(find(table, "host-10000.example.com") == nil)
    }
}
