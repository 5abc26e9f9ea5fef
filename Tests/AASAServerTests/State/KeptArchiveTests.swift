import TestSupport
import Testing

@testable import AASAServer

@Suite struct KeptArchiveTests {
    private var tree: KeptTree {
        var kept = KeptHost()
        kept.files["host.json"] = Array("{\n}".utf8)
        kept.files["well-known/a b\n7 3\n"] = []
        var tree = KeptTree()
        tree.add(kept, of: "a.example")
        return tree
    }

    @Test func whatIsHandedOverIsTheSame() {
        var tree = tree
        expectEqual(KeptArchive.decode(KeptArchive.encode(tree)), tree)
        tree.inventory = ["the host a.example", "more"]
        expectEqual(KeptArchive.decode(KeptArchive.encode(tree)), tree)
    }

    /// A part of it would be a site of which something was removed.
    @Test func aCutArchiveIsNotUsed() {
        let bytes = KeptArchive.encode(tree)
        for count in 1..<bytes.count {
            let handed = KeptArchive.decode(Array(bytes[..<count]))
            #expect(handed == nil || handed?.hosts.isEmpty == true, "\(count)")
        }
        for text in ["5 999\nabcde", "-1 2\nab", "99999999999999999999 1\n", "x", "1\na"] {
            #expect(KeptArchive.decode(Array("aasa-state 3\n\(text)".utf8)) == nil, "\(text)")
        }
    }
}
