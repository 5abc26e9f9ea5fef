import TestSupport
import Testing

@Suite struct LintFixTests {
    @Test func fixesWhatLeavesNoChoice() throws {
        let folder = try TemporaryFolder("fix")
        let text =
            "{\n  \"webcredentials\": { \"apps\": [\"D3KQX62K1A.com.a\",] },\n  \"appClips\": { \"apps\": [\"D3KQX62K1A.com.a.Clip\"] }\n}\n"
        let file = try folder.write("apple-app-site-association", text)
        let shown = try Tool.aasa(["lint", file, "--diff"])
        expectEqual(shown.status, 1)
        #expect(shown.stdout.contains("@@ -1,4 +1,4 @@"), "\(shown)")
        try expectEqual(folder.read("apple-app-site-association"), Array(text.utf8))
        let fixed = try Tool.aasa(["lint", file, "--fix"])
        expectEqual(fixed.status, 0, "\(fixed)")
        #expect(
            fixed.stderr.contains("json-trailing-comma, service-misspelt; these fixes change"),
            "\(fixed)")
        expectEqual(
            String(decoding: try folder.read("apple-app-site-association"), as: UTF8.self),
            "{\n  \"webcredentials\": { \"apps\": [\"D3KQX62K1A.com.a\"] },\n  \"appclips\": "
                + "{ \"apps\": [\"D3KQX62K1A.com.a.Clip\"] }\n}\n")
        try expectEqual(Tool.aasa(["lint", file, "--diff"]).status, 0)
    }

    @Test func standardInputIsShownAndNotMended() throws {
        let text = Array(#"{"webcredentials":{"apps":["D3KQX62K1A.com.b"],}}"#.utf8)
        let shown = try Tool.aasa(["lint", "--diff", "-"], stdin: text)
        expectEqual(shown.status, 1, "\(shown)")
        #expect(shown.stdout.contains(#"+{"webcredentials":{"apps":["D3KQX62K1A.com.b"]}}"#))
        let refused = try Tool.aasa(["lint", "--fix", "-"], stdin: text)
        expectEqual(refused.status, 2, "\(refused)")
        #expect(refused.stderr.contains("use --diff"))
    }

    /// What --diff shows is what --fix does, whatever the ends of the lines.
    @Test(arguments: [
        "{\n\t\"a\": [\n\t\t1,\n\t\t2,\n\t]\n}\n", "{\r\n  \"a\": [\r\n    1,\r\n  ]\r\n}\r\n",
        "{\"a\": [1,]}", "{\n\"a\": [1,]\n}", "// x\n{}\n",
        "\u{FEFF}{\"a\": \"\u{200B}\\u001b\"}\n",
    ])
    func theDifferenceCanBeApplied(text: String) throws {
        let folder = try TemporaryFolder("difference")
        let file = try folder.write("a.json", text)
        let shown = try Tool.run(
            try Tool.aasa(), ["lint", "--diff", "a.json"], folder: folder.path)
        expectEqual(shown.status, 1, "\(shown)")
        try folder.write("a.patch", shown.outputBytes)
        let applied = try Tool.run(
            "/usr/bin/git", ["apply", "-p0", "--whitespace=nowarn", "a.patch"],
            environment: ["GIT_CEILING_DIRECTORIES": folder.path], folder: folder.path)
        expectEqual(applied.status, 0, "\(applied) \(shown.stdout)")
        let result = try folder.read("a.json")
        try folder.write("a.json", text)
        _ = try Tool.aasa(["lint", "--fix", file])
        try expectEqual(folder.read("a.json"), result)
    }

    /// Mended bytes would no longer be what was signed.
    @Test func leavesSignedFilesAlone() throws {
        let folder = try TemporaryFolder("fix-signed")
        let made = try Tool.aasa(["certs", "make", "--certs", folder.path("certs"), "example.com"])
        expectEqual(made.status, 0, "\(made)")
        let text = #"{"webCredentials":{"apps":["D3KQX62K1A.com.a"]}}"#
        let signed = try Tool.aasa(
            ["sign", "--certs", folder.path("certs"), "--host", "example.com"],
            stdin: Array(text.utf8)
        ).outputBytes
        #expect(!signed.isEmpty)
        let file = try folder.write("apple-app-site-association", signed)
        try expectEqual(Tool.aasa(["lint", file, "--diff"]).status, 0)
        _ = try Tool.aasa(["lint", file, "--fix"])
        try expectEqual(folder.read("apple-app-site-association"), signed)
    }

    @Test(arguments: [["--ignore", "component-key-misspelt"], []])
    func whatIsSwitchedOffStays(_ more: [String]) throws {
        let folder = try TemporaryFolder("fix-off")
        let text =
            #"{"applinks":{"details":[{"appIDs":["D3KQX62K1A.com.a"],"components":["#
            + #"{"/":"/a/*","exlude":true},{"/":"/b"}]}]}}"#
        let file = try folder.write("apple-app-site-association", text)
        let off = #"{"rules":[{"code":"component-key-misspelt","severity":"off","reason":"r"}]}"#
        let config = try folder.write(".aasa.json", more.isEmpty ? off : "{}")
        _ = try Tool.aasa(["lint", file, "--fix", "--config", config] + more)
        try expectEqual(folder.read("apple-app-site-association"), Array(text.utf8))
    }
}
