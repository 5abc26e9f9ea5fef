import Foundation
import TestSupport
import Testing

@Suite struct AssociationInputTests {
    private let document =
        ##"{"applinks":{"details":[{"appIDs":["D3KQX62K1A.a"],"components":[{"/":"/a"}]}]}}"##

    @Test func takesAFileAPipeAndAFolder() throws {
        let folder = try TemporaryFolder("input")
        let file = try folder.write("file.json", document)
        try folder.write("example.com/teams/D3KQX62K1A.json", document)
        for path in [file, folder.path("example.com")] {
            try expectEqual(Tool.aasa(["match", path, "/a"]).status, 0)
            try expectEqual(Tool.aasa(["match", path, "/b"]).status, 1)
        }
        try expectEqual(Tool.aasa(["match", "-", "/a"], stdin: Array(document.utf8)).status, 0)
        // The host is known of the folder alone.
        let other = "https://other.example/a"
        try expectEqual(Tool.aasa(["match", file, other]).status, 0)
        try expectEqual(Tool.aasa(["match", folder.path("example.com"), other]).status, 1)
    }

    @Test func aPathIsOneOfTheOnlyHost() throws {
        let folder = try TemporaryFolder("input")
        try folder.write("site/example.com/teams/D3KQX62K1A.json", document)
        let site = folder.path("site")
        try expectEqual(Tool.aasa(["match", site, "https://example.com/a", "/a"]).status, 0)
        try expectEqual(Tool.aasa(["match", site, "https://example.com:8443/a"]).status, 1)
        try folder.write("site/www.example.com/teams/D3KQX62K1A.json", document)
        let two = try Tool.aasa(["match", site, "/a"])
        #expect(two.status == 2 && two.stderr.contains("write the whole URL"), "\(two)")
        let both = try Tool.aasa(["diff", site, site])
        #expect(both.status == 2 && both.stderr.contains("fix: name the host's folder"), "\(both)")
    }

    @Test func aSignedFileIsItsDocument() throws {
        let site = try SampleSite()
        let file = try site.folder.write("plain.json", document)
        let signed = site.folder.path("signed")
        let made = try Tool.aasa([
            "sign", file, "--certs", site.certs, "--host", "example.com", "--output", signed,
        ])
        expectEqual(made.status, 0, "\(made)")
        try expectEqual(Tool.aasa(["diff", file, signed]).status, 0)
        try expectEqual(Tool.aasa(["match", signed, "/b"]).status, 1)
        // Devices refuse one whose content was changed.
        var bytes = try site.folder.read("signed")
        let place = try #require(bytes.firstRange(of: Array("/a".utf8)))
        bytes[place.lowerBound + 1] = UInt8(ascii: "b")
        try site.folder.write("signed", bytes)
        for command in [["match", signed, "/b"], ["diff", file, signed]] {
            let result = try Tool.aasa(command)
            #expect(result.status == 1 && result.stderr.contains("signature"), "\(result)")
        }
    }

    @Test(arguments: [
        ("[]", "this is an array, and an association document is an object"),
        ("{", "1:2"), (##""x""##, "this is a string"),
    ]) func saysWhatIsNoDocument(_ text: String, _ message: String) throws {
        let result = try Tool.aasa(["match", "-", "/a"], stdin: Array(text.utf8))
        #expect(result.status == 3 && result.stderr.contains(message), "\(result)")
    }

    @Test func saysWhyNoDocumentCanBeBuilt() throws {
        let folder = try TemporaryFolder("input")
        try folder.write("example.com/teams/D3KQX62K1A.json", "{")
        let result = try Tool.aasa(["match", folder.path("example.com"), "/a"])
        expectEqual(result.status, 3, "\(result)")
        #expect(result.stderr.contains("no document can be built: "), "\(result)")
        #expect(result.stderr.contains("D3KQX62K1A.json:1:"), "\(result)")
    }
}
