import Foundation
import TestSupport
import Testing

@Suite struct OptionReaderTests {
    private func serve(_ arguments: [String]) throws -> Tool.Result {
        try Tool.aasa(["serve"] + arguments)
    }

    @Test func aNumberBelowZeroIsANumber() throws {
        let result = try serve(["--drain", "-1"])
        #expect(result.stderr.contains("--drain \"-1\": write a number from 0"), "\(result)")
    }

    @Test func aServerHasOneSite() throws {
        let result = try serve(["--site", "a", "--site", "b"])
        #expect(result.status == 2 && result.stderr.contains("given twice"), "\(result)")
    }

    @Test func theFolderOfOneHostIsNoSite() throws {
        let site = try SampleSite()
        let result = try serve([
            "--site", "\(site.site)/example.com", "--certs", "\(site.certs)/example.com",
        ])
        #expect(result.status == 2, "\(result)")
        for file in ["teams", "fullchain.pem"] {
            let text = "the folder of one host, as \(file) lies in it: name the folder above it"
            #expect(result.stderr.contains(text), "\(result)")
        }
    }
}
