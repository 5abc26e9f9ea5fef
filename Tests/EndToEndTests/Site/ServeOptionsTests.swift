import Foundation
import OpenSSL
import TestSupport
import Testing

@Suite struct ServeOptionsTests {
    private func serve(
        _ arguments: [String], environment: [String: String] = [:]
    ) throws -> Tool.Result {
        try Tool.aasa(["serve"] + arguments, environment: environment)
    }

    @Test(arguments: [
        ["--listen", "nowhere"], ["--listen", "unix:/x"], ["--workers", "0"],
        ["--tickets", "maybe"], ["--log-format", "xml"], ["--drain", "-1"], ["--what"],
        ["--admin", "x"], ["--clients", "all"], ["--admin", "0.0.0.0:0"],
        ["--admin", "[::]:0"], ["--admin", "*:0"], ["--admin", "192.0.2.1:9443"],
    ])
    func aWrongCommandLineIsStatus2(arguments: [String]) throws {
        let result = try serve(arguments)
        expectEqual(result.status, 2, "\(result)")
        #expect(result.stderr.contains(arguments[0]))
        #expect(result.stdout.isEmpty)
    }

    @Test func theHybridGroupIsPreferredWhereTheLibraryHasIt() throws {
        let site = try SampleSite()
        let sources = ["--site", site.site, "--certs", site.certs, "--check"]
        let result = try serve(sources + ["--prefer-post-quantum"])
        let byVariable = try serve(sources, environment: ["AASA_PREFER_POST_QUANTUM": "on"])
        expectEqual(result.status, (TLSLibrary.hasHybridGroup ? 0 : 2), "\(result)")
        expectEqual(byVariable.status, result.status)
        expectEqual(result.stderr.contains("OpenSSL 3.5"), !TLSLibrary.hasHybridGroup, "\(result)")
    }

    @Test func aMisspeltCommandIsRecognized() throws {
        let result = try Tool.aasa(["serv", "--site", "x"])
        expectEqual(result.status, 2)
        expectEqual(result.stderr, "aasa: \"serv\" is not a command; is \"aasa serve\" meant?\n")
    }

    @Test func whatItWritesMayNotLieInWhatItReads() throws {
        let site = try SampleSite()
        let result = try serve([
            "--site", site.site, "--certs", site.certs, "--state", "\(site.site)/state",
            "--log-file", "\(site.certs)/log",
        ])
        expectEqual(result.status, 2, "\(result)")
        for part in ["--state", "change of --site", "--log-file", "change of --certs", "outside"] {
            #expect(result.stderr.contains(part), "\(result)")
        }
    }
}
