import AppSiteAssociation
import TestSupport
import Testing

@testable import AASAClient
@testable import AASADevice

@Suite struct TranscriptJSONTests: DeviceSuite {
    private static func number(_ value: JSONValue?) -> Int? {
        if case .number(let text) = value?.kind { return Int(text) }
        return nil
    }

    @Test func tellsTheStoryToMachines() throws {
        let (played, _) = Self.play(
            .ios13, ["applinks:*.example.com"], [Self.answer(503), Self.answer(404, "no")])
        let written = JSONWriter.minified(try #require(played.first).json)
        let json = try JSONReader.read(SourceText(name: "transcript", bytes: written)).root
        for (name, text) in [
            ("entry", "applinks:*.example.com"), ("service", "applinks"), ("host", "example.com"),
            ("app", Self.app), ("era", "ios13"), ("verdict", "denied"),
            ("reason", "the answer had status 404"),
        ] {
            expectEqual(json[name]?.string, text, "\(name)")
        }
        expectEqual(json["standing"]?.array?.compactMap(\.string), Era.ios13.rules.unknowns)
        expectEqual(Self.number(json["questions"]), 2)
        let events = try #require(json["events"]?.array)
        expectEqual(
            events.map { $0["event"]?.string }, ["note", "asked", "waits", "asked", "settled"])
        expectEqual(events.map { Self.number($0["seconds"]) }, [0, 0, 0, 10_800, 10_800])
        expectEqual(events[1]["answer"]?.string, "temporary")
        expectEqual(events[1]["playedCDN"]?.bool, false)
        expectEqual(Self.number(events[2]["forSeconds"]), 10_800)
        expectEqual(events[3]["exchange"]?["head"]?.array?.first?.string, "HTTP/1.1 404")
        expectEqual(Self.number(events[3]["exchange"]?["bodyBytes"]), 2)
        expectEqual(Self.number(events[4]["recheckSeconds"]), 428_400)
    }

    /// Null where nobody asks again.
    @Test func writesNullForNoRecheck() throws {
        let (played, _) = Self.play(
            .ios8, ["webcredentials:example.com"], [Self.answer(404)])
        let last = try #require(played.first?.json["events"]?.array?.last)
        guard case .null = last["recheckSeconds"]?.kind else {
            Issue.record("\(String(describing: last["recheckSeconds"]))")
            return
        }
        guard
            case .null = Self.play(
                .ios93, ["applinks:example.com"],
                [Self.answer(200, Self.document)]
            ).0.first?.json["reason"]?.kind
        else {
            Issue.record("a reason for what was associated")
            return
        }
    }

    @Test func tellsAllThatWasSeenOfAnExchange() {
        var exchange = Self.answer(200, "four", [("A", "b")])
        exchange.timing = ClientExchange.Timing()
        exchange.timing.connected = .microseconds(1_500_001)
        exchange.timing.ended = .seconds(2)
        exchange.failure = .closed(.body, missing: 3)
        exchange.address = .v4(0x7F00_0001, port: 443)
        let plain = exchange.json
        #expect(plain["tls"] == nil)
        expectEqual(plain["address"]?.string, "127.0.0.1:443")
        expectEqual(plain["failure"]?.string, exchange.failure?.description)
        expectEqual(Self.number(plain["microseconds"]?["connected"]), 1_500_001)
        expectEqual(Self.number(plain["microseconds"]?["ended"]), 2_000_000)
        #expect(plain["microseconds"]?["secured"] == nil)
        exchange.tls = TLSFacts(
            version: .tls13, cipher: "C", group: "G", applicationProtocol: .http2, chain: [],
            verification: .notChecked)
        let tls = exchange.json["tls"]
        #expect(tls?["version"]?.string == "TLS 1.3" || tls?["version"]?.string == "TLSv1.3")
        #expect(tls?["cipher"]?.string == "C" && tls?["group"]?.string == "G")
        expectEqual(tls?["protocol"]?.string, "h2")
        expectEqual(tls?["verification"]?.string, "not checked")
    }
}
