// Covers: ClientOptions.swift, TranscriptJSON.swift

import Foundation
import TestSupport
import Testing

/// `aasa check` and `aasa device` against our own server in every form.
@Suite struct CheckCommandTests {
    static func options(_ server: ServerProcess) -> [String] {
        [
            "--resolve", "example.com:443:\(server.address)", "--cacert",
            server.site.certs + "/local-ca/ca.pem", "--timeout", "60", "--format", "json",
        ]
    }

    static func json(_ result: Tool.Result) throws -> [[String: Any]] {
        try #require(
            JSONSerialization.jsonObject(with: Data(result.outputBytes)) as? [[String: Any]],
            "\(result)")
    }

    @Test(arguments: ["json", "signed", "auto"])
    func findsOurOwnServerGood(form: String) throws {
        let site = try SampleSite()
        try site.write("example.com/host.json", "{\"form\": \"\(form)\"}")
        let server = try ServerProcess(site)
        let result = try Tool.aasa(["check", "example.com"] + Self.options(server))
        #expect(result.status == 0, "\(result)")
        let report = try #require(try Self.json(result).first)
        #expect(report["errors"] as? Int == 0)
        let eras = try #require(report["eras"] as? [[String: Any]])
        for era in eras {
            let name = era["era"] as? String
            let isDenied = form == "json" && name == "ios8"
            #expect(era["verdict"] as? String == (isDenied ? "denied" : "associated"), "\(era)")
        }
    }

    @Test(arguments: ["json", "signed", "auto"])
    func installsAnAppInEveryEra(form: String) throws {
        let site = try SampleSite()
        try site.write("example.com/host.json", "{\"form\": \"\(form)\"}")
        let server = try ServerProcess(site)
        let result = try Tool.aasa(
            [
                "device", "--domain", "webcredentials:example.com", "--app",
                "\(SampleSite.teams[0]).com.example.app", "--era", "all",
            ] + Self.options(server))
        #expect(result.status == (form == "json" ? 1 : 0), "\(result)")
        let transcripts = try Self.json(result)
        #expect(transcripts.count == 6)
        for transcript in transcripts {
            let isDenied = form == "json" && transcript["era"] as? String == "ios8"
            #expect(
                transcript["verdict"] as? String == (isDenied ? "denied" : "associated"),
                "\(transcript)")
        }
    }

    @Test func explainsItsCodes() throws {
        let all = try Tool.aasa(["check", "--explain", "all"])
        #expect(all.status == 0)
        #expect(all.stdout.split(separator: "\n").count > 120)
        let one = try Tool.aasa(["check", "--explain", "tls-chain-incomplete"])
        #expect(one.stdout.contains("fullchain.pem"))
        #expect(try Tool.aasa(["check", "--explain", "tls-nonsense"]).status == 2)
        #expect(try Tool.aasa(["check"]).status == 2)
    }

    @Test func saysThatNobodyListens() throws {
        let result = try Tool.aasa([
            "check", "example.com", "--resolve", "example.com:443:127.0.0.1:1", "--timeout", "20",
        ])
        #expect(result.status == 1)
        #expect(result.stdout.contains("address-refused"))
    }
}
