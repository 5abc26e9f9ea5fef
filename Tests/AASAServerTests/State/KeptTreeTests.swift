import OpenSSL
import TestSupport
import Testing

@testable import AASAServer

@Suite struct KeptTreeTests {
    private var tree: KeptTree {
        var tree = KeptTree()
        for name in ["a.example", "b.example"] {
            var kept = KeptHost()
            kept.files["teams/D3KQX62K1A.json"] = Array("{}".utf8)
            kept.files["well-known/x"] = [0, 10, 13, 255, 32]
            tree.add(kept, of: name)
            tree.files["signed/" + name] = [1]
        }
        return tree
    }

    @Test func theFilesAreASiteFolderAndWhatTheyDoNotSay() {
        expectEqual(
            Set(tree.contents.keys),
            [
                "site/a.example/teams/D3KQX62K1A.json", "site/a.example/well-known/x",
                "site/b.example/teams/D3KQX62K1A.json", "site/b.example/well-known/x",
                "signed/a.example", "signed/b.example", "facts.json",
            ])
        expectEqual(KeptTree.read(tree.contents)?.tree, tree)
        expectEqual(KeptTree.read(KeptTree().contents)?.tree, KeptTree())
    }

    /// Every file that is missing or changed costs its host, and no other.
    @Test func damageIsNamedAndTheRestIsUsed() throws {
        let whole = tree.contents
        for path in whole.keys.sorted() where path != "facts.json" {
            for bytes in [nil, [1, 2]] as [[UInt8]?] {
                var damaged = whole
                damaged[path] = bytes
                let (read, damage) = try #require(KeptTree.read(damaged))
                expectEqual(damage, [path])
                let host = String(path.split(separator: "/")[1])
                let isLost = path.hasPrefix("site/")
                expectEqual((read.hosts[host] == nil), isLost, "\(path)")
                expectEqual(read.hosts.count, (isLost ? 1 : 2))
            }
        }
        for bytes in [nil, Array("{}".utf8), Array("x".utf8)] as [[UInt8]?] {
            var damaged = whole
            damaged["facts.json"] = bytes
            #expect(KeptTree.read(damaged) == nil)
        }
    }

    @Test func theHashSaysWhetherAnythingDiffers() {
        expectEqual(tree.hash, tree.hash)
        expectEqual(tree.hash, tree.contents["facts.json"].map { hexadecimal(sha256($0)) })
        var other = tree
        other.files["site/a.example/well-known/x"] = [1]
        #expect(other.hash != tree.hash)
        other = tree
        other.facts["site/a.example"] = ["keptSince": ["1"]]
        #expect(other.hash != tree.hash)
    }
}
