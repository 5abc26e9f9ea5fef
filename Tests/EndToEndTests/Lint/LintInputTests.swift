import Foundation
import TestSupport
import Testing

@Suite struct LintInputTests {
    private static let misspelt =
        #"{"applinks":{"details":[{"appIDs":["D3KQX62K1A.com.b"],"compnents":[{"/":"/b"}]}]}}"#

    @Test func aWebServersFolderIsLookedAtFileByFile() throws {
        let folder = try TemporaryFolder("lint")
        try folder.write("public/.well-known/apple-app-site-association", Self.misspelt)
        try folder.write("public/.well-known/assetlinks.json", "[]")
        try folder.write("public/package.json", "{}")
        for path in ["public/.well-known", "public", "."] {
            let result = try Tool.aasa(["lint", folder.path(path)])
            #expect(result.stdout.contains("[entry-key-misspelt]"), "\(path): \(result)")
            #expect(result.stdout.contains("[assetlinks-empty]"), "\(path): \(result)")
            #expect(result.stdout.contains("1 error and 1 warning in 2 of 2 documents"))
        }
    }

    @Test func aFileThatIsTooLargeIsAFinding() throws {
        let folder = try TemporaryFolder("lint")
        let large = try folder.write("large.json", String(repeating: " ", count: (4 << 20) + 1))
        let result = try Tool.aasa(["lint", large])
        #expect(result.status == 1 && result.stdout.contains("[json-too-large]"), "\(result)")
        #expect(result.stdout.contains("1 error in 1 of 1 document"), "\(result)")
        let piped = try Tool.aasa(
            ["lint", "-"], stdin: [UInt8](repeating: 0x20, count: (4 << 20) + 1))
        #expect(piped.status == 1 && piped.stdout.contains("[json-too-large]"), "\(piped)")
    }
}
