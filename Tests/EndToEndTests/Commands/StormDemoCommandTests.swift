// Covers: StormDemoCommand.swift

import Foundation
import Glibc
import TestSupport
import Testing

@Suite struct StormDemoCommandTests {
    private struct Demo: Decodable {
        struct Storm: Decodable {
            struct Side: Decodable {
                let devices, associated, willRetry, denied, failed: Int
                let generatorWasTheLimit: Bool
            }
            let short: String
            let asExpected: Bool
            let aasa, plainQueue: Side
        }
        let storms: [Storm]
        let asExpected: Bool
    }

    /// How it should be is expected where the machine had time to play it; a storm of three seconds
    /// is too short to show what becomes of a queue for handshakes.
    @Test(arguments: [["processor"], ["link", "budget"]])
    func showsWhenItAnswers503(_ only: [String]) throws {
        let folder = try TemporaryFolder("demo")
        let page = folder.path("demo.html")
        let result = try Tool.aasa(
            ["storm", "demo", "--over", "3", "--format", "json", "--html", page]
                + only.flatMap { ["--only", $0] }, environment: ["TMPDIR": folder.path])
        let demo = try JSONDecoder().decode(Demo.self, from: Data(result.outputBytes))
        #expect(demo.storms.map(\.short) == only, "\(result)")
        let hadTime = !demo.storms.contains {
            $0.aasa.generatorWasTheLimit || $0.plainQueue.generatorWasTheLimit
        }
        #expect(result.status == (!demo.asExpected ? 1 : hadTime ? 0 : 3), "\(result)")
        for storm in demo.storms {
            for side in [storm.aasa, storm.plainQueue] {
                #expect(side.devices > 0)
                let ended = side.associated + side.willRetry + side.denied + side.failed
                #expect(ended == side.devices, "\(storm)")
                #expect(side.denied == 0, "\(storm)")
            }
            #expect(storm.plainQueue.willRetry == 0, "\(storm)")
            if storm.short == "processor" { #expect(storm.aasa.willRetry == 0, "\(storm)") }
            let hadTime =
                !storm.aasa.generatorWasTheLimit && !storm.plainQueue.generatorWasTheLimit
            // Whether a link fills depends on how fast this machine is just now; a budget does not.
            if hadTime, storm.short == "budget" { #expect(storm.asExpected, "\(storm)") }
        }
        let text = try String(contentsOfFile: page, encoding: .utf8)
        for name in only { #expect(text.contains("<section id=\"\(name)\">")) }
        // Nothing is left behind but the page.
        let left = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(left == ["demo.html"], "\(left)")
    }

    @Test(arguments: [["--over", "0"], ["--only", "memory"], ["--times", "1"]])
    func wrongUseSaysSo(_ arguments: [String]) throws {
        let result = try Tool.aasa(["storm", "demo"] + arguments)
        #expect(result.status == 2, "\(result)")
        #expect(result.stdout.isEmpty)
    }
}
