import Foundation
import Glibc
import TestSupport
import Testing

@Suite struct FileReplacementTests {
    /// Every option that writes one file: where it cannot, the place, the cause and a remedy that
    /// is true, and what stands there is left as it is.
    @Test(arguments: [
        ["build", "HOST", "--output", "OUT"], ["schema", "--output", "OUT"],
        ["lint", "HOST", "--write-baseline", "OUT"], ["fleet", "key", "OUT"],
        ["storm", "https://127.0.0.1:1/", "--devices", "1", "--html", "OUT"],
    ]) func saysWhatHelps(_ arguments: [String]) throws {
        let site = try AppSite.make()
        try site.write("file", "as it was")
        try site.makeFolder("folder")
        for (out, remedy) in [
            ("none/x", "create the folder \(site.path("none")) first"),
            ("folder", "name a file in it"), ("file/x", "\(site.path("file")) is not a folder"),
        ] {
            let result = try Tool.aasa(
                arguments.map {
                    $0 == "OUT" ? site.path(out) : $0 == "HOST" ? site.path("example.com") : $0
                })
            expectEqual(result.status, 3, "\(result)")
            #expect(result.stderr.contains("\(site.path(out)): cannot be written: "), "\(result)")
            #expect(result.stderr.contains("fix: " + remedy), "\(result)")
        }
        try expectEqual(site.read("file"), Array("as it was".utf8))
        let left = try FileManager.default.contentsOfDirectory(atPath: site.path)
        expectEqual(left.sorted(), ["example.com", "file", "folder"])
    }

    /// The old file is whole until the new one is: nothing is lost where the disk is full.
    @Test(
        .enabled(if: geteuid() == 0 && Tool.find("unshare") != nil, "needs a mount"),
        arguments: ["build HOST --output", "schema --output", "lint HOST --write-baseline"])
    func aFullDiskLosesNothing(command: String) throws {
        let site = try AppSite.make()
        let script = """
            set -e
            mkdir "$2/full"; mount -t tmpfs -o size=16k tmpfs "$2/full"
            echo '{"version": 1, "findings": []}' > "$2/full/out"
            head -c 100000 /dev/zero > "$2/full/filler" 2>/dev/null || true
            "$1" $3 "$2/full/out" || echo "status $?"
            cat "$2/full/out"; ls -A "$2/full"
            """
        let result = try Tool.run(
            "unshare",
            [
                "-m", "bash", "-c", script, "x", try Tool.aasa(), site.path,
                command.replacingOccurrences(of: "HOST", with: site.path("example.com")),
            ])
        let left = "{\"version\": 1, \"findings\": []}\nfiller\nout\n"
        #expect(result.stdout.hasSuffix("status 3\n" + left), "\(result)")
        #expect(result.stderr.contains("make room on the disk; nothing was changed"), "\(result)")
    }
}
