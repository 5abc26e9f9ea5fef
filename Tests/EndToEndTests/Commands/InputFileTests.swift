import Foundation
import TestSupport
import Testing

@Suite struct InputFileTests {
    private static let document =
        #"{"applinks":{"details":[{"appIDs":["D3KQX62K1A.com.example.app"],"#
        + #""components":[{"/":"/x"}]}]}}"#

    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder("streams")
        try folder.write("a.json", Self.document)
        try folder.write("example.com/teams/D3KQX62K1A.json", Self.document)
        try folder.write(
            "many.json",
            "[" + (0..<2_000).map { #"{"appID":"x\#($0)"}"# }.joined(separator: ",") + "]")
    }

    /// - Parameter script: where `aasa` is the binary.
    private func shell(_ script: String) throws -> Tool.Result {
        try Tool.run(
            "/bin/bash", ["-c", "aasa() { \"$AASA\" \"$@\"; }; cd \(folder.path); \(script)"],
            environment: ["AASA": try Tool.aasa()], timeout: .seconds(60))
    }

    /// Half a document in a file must not look like a whole one.

    @Test func pipesByNameAreReadToTheirEnd() throws {
        #expect(try shell("aasa lint <(sleep 0.2; cat a.json)").status == 0)
        #expect(try shell("mkfifo p; (sleep 0.2; cat a.json > p) & aasa lint p").status == 0)
    }

    /// What cannot be looked at is said in every mode.
    @Test(arguments: ["lint", "lint --diff", "lint --fix", "lint --fix --diff"])
    func whatCannotBeReadIsSaid(command: String) throws {
        let result = try shell("ln -sf loop loop; aasa \(command) loop a.json")
        #expect(result.status == 3, "\(result)")
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
            #expect(result.stderr.contains("remedy: " + remedy), "\(result)")
        }
        let verify = try Tool.aasa(["verify", folder.path("folder")])
        #expect(verify.stderr.contains("this is a folder, not a file"), "\(verify)")
        #expect(verify.stderr.contains("folder/apple-app-site-association"), "\(verify)")
    }
}
