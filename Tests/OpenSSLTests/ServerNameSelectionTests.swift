import OpenSSL
import TestSupport
import Testing

@Suite struct ServerNameSelectionTests {
    @Test func `Exact names beat wildcards, case and a trailing dot do not matter`() {
        let selection = ServerNameSelection([
            ("example.com", 0), ("*.example.com", 1), ("api.Example.com", 2),
            ("xn--bcher-kva.ch", 3),
        ])
        expectEqual(selection.host(of: "example.com"), 0)
        expectEqual(selection.host(of: "EXAMPLE.com."), 0)
        expectEqual(selection.host(of: "www.example.com"), 1)
        expectEqual(selection.host(of: "API.example.com"), 2)
        expectEqual(selection.host(of: "xn--BCHER-kva.ch"), 3)
        #expect(selection.host(of: "a.b.example.com") == nil, "a wildcard stands for one label")
        #expect(selection.host(of: ".example.com") == nil)
        #expect(selection.host(of: "com") == nil)
        #expect(selection.host(of: "") == nil)
        #expect(selection.host(of: ".") == nil)
        #expect(selection.host(of: String(repeating: "a", count: 300) + ".example.com") == nil)
    }

    @Test func `Of equal names the first wins`() {
        let selection = ServerNameSelection([("a.test", 4), ("A.TEST", 5)])
        expectEqual(selection.host(of: "a.test"), 4)
    }

    @Test func `Names that differ only where letter cases do are told apart, wherever that is`() {
        // `_` and DEL, `@` and a grave accent differ in the bit that tells letter cases apart.
        for place in 0..<20 {
            let before = String(repeating: "a", count: place)
            let selection = ServerNameSelection([
                (before + "_.test", 0), (before + "\u{7f}.test", 1), (before + "0.test", 2),
            ])
            expectEqual(selection.host(of: before.uppercased() + "_.TEST"), 0)
            expectEqual(selection.host(of: before + "\u{7f}.test"), 1)
            #expect(selection.host(of: before + "\u{10}.test") == nil)
        }
    }

    @Test func `Many hosts are all found`() {
        let names = (0..<5000).map { (name: "host\($0).example", host: $0) }
        let selection = ServerNameSelection(names)
        for (name, host) in names { expectEqual(selection.host(of: name), host) }
        #expect(selection.host(of: "host5000.example") == nil)
        #expect(ServerNameSelection([]).host(of: "a.test") == nil)
    }
}

extension ServerNameSelection {
    fileprivate func host(of name: String) -> Int? {
        var name = name
        return name.withUTF8 { host(of: UnsafeRawBufferPointer($0)) }
    }
}
