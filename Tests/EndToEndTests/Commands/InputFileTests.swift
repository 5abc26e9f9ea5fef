import Foundation
import TestSupport
import Testing

@Suite struct InputFileTests {
    private let folder: TemporaryFolder

    init() throws { folder = try .forShells() }

    @Test func pipesByNameAreReadToTheirEnd() throws {
        try expectEqual(folder.shell("aasa lint <(sleep 0.2; cat a.json)").status, 0)
        try expectEqual(
            folder.shell("mkfifo p; (sleep 0.2; cat a.json > p) & aasa lint p").status, 0)
    }

    /// What cannot be looked at is said in every mode.
    @Test(arguments: ["lint", "lint --diff", "lint --fix", "lint --fix --diff"])
    func whatCannotBeReadIsSaid(command: String) throws {
        let result = try folder.shell("ln -sf loop loop; aasa \(command) loop a.json")
        expectEqual(result.status, 3, "\(result)")
        #expect(result.stderr.contains("loop: Too many levels of symbolic links"), "\(result)")
    }

    @Test func eachReasonHasItsOwnRemedy() throws {
        try folder.makeFolder("folder")
        try folder.write("large", [UInt8](repeating: 0x20, count: (4 << 20) + 1))
        for (name, cause, remedy) in [
            ("none", "no such file", "check the path"),
            ("folder", "no document can be built", ""),
            ("large", "4194305 bytes; at most 4194304 are read", "is this the right file?"),
        ] {
            let result = try Tool.aasa(["match", folder.path(name), "/x"])
            #expect(result.status == 3 && result.stderr.contains(cause), "\(result)")
            #expect(result.stderr.contains("fix: " + remedy), "\(result)")
        }
        let verify = try Tool.aasa(["verify", folder.path("folder")])
        #expect(verify.stderr.contains("this is a folder, not a file"), "\(verify)")
        #expect(verify.stderr.contains("folder/apple-app-site-association"), "\(verify)")
    }
}
