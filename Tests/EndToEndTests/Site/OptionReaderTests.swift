import Foundation
import TestSupport
import Testing

/// How `aasa serve` takes a value from a flag or its variable.
@Suite struct OptionReaderTests {
    private func serve(
        _ arguments: [String], environment: [String: String] = [:]
    ) throws -> Tool.Result {
        try Tool.aasa(["serve"] + arguments, environment: environment)
    }

    @Test func optionsAreVariablesToo() throws {
        let site = try SampleSite()
        let checked = try serve(
            ["--check"],
            environment: [
                "AASA_SITE": site.site, "AASA_CERTS": site.certs, "AASA_LISTEN": ":1,[::1]:2",
                "AASA_LISTN": "x",
            ])
        expectEqual(checked.status, 0, "\(checked)")
        #expect(checked.stderr.contains("is AASA_LISTEN meant"))
    }

    /// Mounted secrets end with a line end, and manifests leave variables empty.
    @Test func whiteSpaceAroundAVariableIsNoPartOfItAndAnEmptyOneIsNone() throws {
        let site = try SampleSite()
        let checked = try serve(
            ["--check"],
            environment: [
                "AASA_SITE": " \(site.site)\n", "AASA_CERTS": site.certs, "AASA_WORKERS": "",
            ])
        expectEqual(checked.status, 0, "\(checked)")
    }

    @Test func aFlagComesBeforeItsVariable() throws {
        let site = try SampleSite()
        let checked = try serve(
            ["--check", "--site", site.site, "--certs", site.certs, "--tickets", "off"],
            environment: ["AASA_SITE": "/no/such/site", "AASA_TICKETS": "maybe"])
        expectEqual(checked.status, 0, "\(checked)")
    }

    @Test func aWrongValueIsReportedWithItsVariableAndAllAtOnce() throws {
        let result = try serve(
            [],
            environment: [
                "AASA_TICKETS": "maybe", "AASA_CLIENTS": "all", "AASA_POLL": "0",
                "AASA_LISTEN": "a:b", "AASA_ADMIN": "0.0.0.0:1",
            ])
        expectEqual(result.status, 2, "\(result)")
        for part in [
            "AASA_TICKETS \"maybe\": write on or off",
            "AASA_CLIENTS \"all\": write one of phones, pools",
            "AASA_POLL \"0\": write a number from 1 to 86400",
            "AASA_LISTEN \"a:b\": write ADDR:PORT",
            "AASA_ADMIN \"0.0.0.0:1\": other machines reach this address",
        ] {
            #expect(result.stderr.contains(part), "\(result)")
        }
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
        expectEqual(result.status, 2, "\(result)")
        for file in ["teams", "fullchain.pem"] {
            let text = "the folder of one host, as \(file) lies in it: name the folder above it"
            #expect(result.stderr.contains(text), "\(result)")
        }
    }
}
