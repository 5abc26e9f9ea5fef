// Covers: AnswerReader.swift, CDNRoute.swift, ClientRequest.swift, EntryRules.swift, Era.swift
// Covers: TranscriptText.swift, Transcript.swift, Verdict.swift

import AASAClient
import AASADevice
import AppSiteAssociation
import Testing

/// Stories on the virtual clock, with a network that is a list of answers.
@Suite struct DeviceTests {
    private final class Network {
        var requests: [ClientRequest] = []
        var answers: [ClientExchange]

        init(_ answers: [ClientExchange]) { self.answers = answers }

        func ask(_ request: ClientRequest) -> ClientExchange {
            requests.append(request)
            return answers.count > 1 ? answers.removeFirst() : answers[0]
        }
    }

    private static let app = "ABCDE12345.com.example.app"
    private static let document = """
        {"applinks": {"details": [{"appIDs": ["\(app)"], "components": [{"/": "/*"}]}]},
         "webcredentials": {"apps": ["\(app)"]}}
        """

    private static func answer(
        _ status: Int, _ body: String = "", _ fields: [(String, String)] = []
    ) -> ClientExchange {
        var exchange = ClientExchange(request: ClientRequest(host: "example.com", target: "/"))
        exchange.head = ResponseHead(
            lines: ["HTTP/1.1 \(status)"], status: status, reason: "",
            fields: fields.map { ResponseHead.Field(name: $0.0, value: $0.1) })
        exchange.body = Array(body.utf8)
        return exchange
    }

    private static func play(
        _ era: Era, _ entries: [String], _ answers: [ClientExchange]
    ) -> ([Transcript], Network) {
        let network = Network(answers)
        var device = Device(
            Device.Settings(app: app, era: era),
            signatures: { _, _ in SignedDocument(payload: [], problem: "not signed") },
            chance: { 0 }, ask: { network.ask($0) })
        return (device.install(entries.map { EntitlementEntry($0) }), network)
    }

    @Test func asksWhereEachEraAsks() {
        let good = Self.answer(200, Self.document)
        let urls: [(Era, [String])] = [
            (.ios8, ["https://example.com/apple-app-site-association"]),
            (
                .ios93,
                [
                    "https://example.com/.well-known/apple-app-site-association",
                    "https://example.com/apple-app-site-association",
                ]
            ),
            (.ios13, ["https://example.com/.well-known/apple-app-site-association"]),
            (.ios14, ["https://app-site-association.cdn-apple.com/a/v1/example.com"]),
            (.developer, ["https://example.com/.well-known/apple-app-site-association"]),
        ]
        for (era, expected) in urls {
            let (transcripts, network) = Self.play(
                era, ["webcredentials:example.com"], [Self.answer(404), Self.answer(404), good])
            #expect(Array(network.requests.map(\.url).prefix(expected.count)) == expected)
            #expect(transcripts.count == 1)
            #expect(network.requests.allSatisfy { $0.fields.contains { $0.name == "User-Agent" } })
        }
    }

    @Test func threeDaysOfStoryTakeNoTime() {
        let busy = Self.answer(503)
        let (transcripts, network) = Self.play(
            .ios93, ["applinks:example.com"], [busy, busy, Self.answer(200, Self.document)])
        #expect(transcripts.first?.verdict == .associated)
        #expect(network.requests.count == 3)
        #expect(transcripts.first?.events.last?.time == 2 * 10_800)
    }

    @Test func givesUpAfterEightTriesInTheOldRule() {
        let (transcripts, network) = Self.play(
            .ios8, ["webcredentials:example.com"], [Self.answer(500)])
        #expect(network.requests.count == 8)
        #expect(transcripts.first?.verdict.name == "failed")
        #expect(transcripts.first?.events.last?.time == 7 * 10_800)
    }

    @Test func sharesADownloadBetweenServices() {
        let (transcripts, network) = Self.play(
            .ios13,
            ["applinks:example.com", "webcredentials:example.com", "appclips:example.com"],
            [Self.answer(200, Self.document)])
        #expect(network.requests.count == 1)
        #expect(transcripts.map(\.verdict.name) == ["associated", "associated", "skipped"])
        let (later, asked) = Self.play(
            .developer, ["applinks:example.com", "appclips:example.com"],
            [Self.answer(200, Self.document)])
        #expect(asked.requests.count == 1)
        #expect(later.last?.verdict == .denied(.serviceMissing("appclips")))
    }

    @Test func readsAnswersAsTheEraDoes() {
        let cases: [(Era, ClientExchange, String)] = [
            (.ios13, Self.answer(301), "denied"),
            (.ios13, Self.answer(304), "denied"),
            (.ios13, Self.answer(403), "denied"),
            (.ios13, Self.answer(503), "will-retry"),
            (.ios14, Self.answer(404, "Not Found"), "will-retry"),
            (.developer, Self.answer(404), "will-retry"),
            (.ios8, Self.answer(200, Self.document), "denied"),
            (.ios93, Self.answer(200, Self.document), "associated"),
            (.ios93, Self.answer(200, "<html>"), "failed"),
            (.ios13, Self.answer(200, "<html>"), "will-retry"),
            (.ios13, Self.answer(200, "{}"), "denied"),
            (.ios13, Self.answer(200, String(repeating: " ", count: 131_073)), "will-retry"),
        ]
        for (era, answer, expected) in cases {
            let (transcripts, _) = Self.play(era, ["webcredentials:example.com"], [answer])
            #expect(
                transcripts.first?.verdict.name == expected,
                "\(era) \(answer.head?.lines.first ?? "")")
        }
    }

    @Test func tellsTheStory() {
        // The answers carry the request they were made with, of the root path.
        let busy = Self.answer(503)
        let (transcripts, _) = Self.play(
            .ios93, ["applinks:example.com"], [busy, busy, Self.answer(200, Self.document)])
        #expect(
            transcripts.first?.text == """
                applinks:example.com  iOS 9.3 to 12  ABCDE12345.com.example.app
                  +0 s        GET https://example.com/
                                HTTP/1.1 503, no Content-Type, 0 bytes
                                the server failed with status 503
                                the same once more, until +3 h
                  +6 h        GET https://example.com/
                                HTTP/1.1 200, no Content-Type, \(Self.document.utf8.count) bytes
                                the app is listed
                  +6 h        decided; asks again when the app is updated
                  verdict: associated
                  not known   whether a refusal at an update ends an association is not known; played so
                """)
    }

    /// The limit came with iOS 9.3.1, universal links with iOS 9, App Clips with iOS 14, TLS 1.3
    /// with 12.2.
    @Test func eachEraHasItsOwnLimits() {
        let large = Self.answer(200, String(repeating: " ", count: 131_073))
        #expect(
            Self.play(.ios8, ["webcredentials:example.com"], [large]).0.first?.verdict
                == .denied(.unsigned))
        #expect(
            Self.play(.ios93, ["webcredentials:example.com"], [large]).0.first?.verdict
                == .failed(.tooLarge(bytes: 131_073)))
        let services = ["applinks:example.com", "appclips:example.com"]
        let skipped: [(Era, [Bool])] = [
            (.ios8, [true, true]), (.ios93, [false, true]), (.ios13, [false, true]),
            (.ios14, [false, false]),
        ]
        for (era, expected) in skipped {
            let (transcripts, network) = Self.play(
                era, services, [Self.answer(200, Self.document)])
            #expect(transcripts.map { $0.verdict.name == "skipped" } == expected, "\(era)")
            for request in network.requests {
                let isOld = era == .ios8 || era == .ios93
                #expect(request.security.maximumVersion == (isOld ? .tls12 : .tls13))
                let coding = request.fields.first { $0.name == "Accept-Encoding" }?.value
                #expect(coding == "gzip, deflate")
            }
        }
        let (transcripts, network) = Self.play(.ios8, ["webcredentials:example.com"], [large])
        #expect(network.requests.first?.fields.contains { $0.name == "Accept-Encoding" } == false)
        #expect(network.requests.first?.security.maximumVersion == .tls12)
        #expect(transcripts.first?.standing.first?.contains("gzip") == true)
    }

    @Test func honoursWhatTheEntrySays() {
        let good = [Self.answer(200, Self.document)]
        func play(_ era: Era, _ entry: String) -> (Transcript?, [ClientRequest]) {
            let (transcripts, network) = Self.play(era, [entry], good)
            return (transcripts.first, network.requests)
        }
        #expect(play(.ios14, "applinks:example.com?mode=developer").0?.verdict.name == "skipped")
        #expect(play(.developer, "applinks:example.com?mode=developer").0?.verdict == .associated)
        #expect(play(.developer, "applinks:example.com?mode=managed").0?.verdict.name == "skipped")
        #expect(
            play(.managed, "applinks:example.com?mode=developer+managed").0?.verdict.name
                == "skipped")
        #expect(play(.ios13, "applinks:example.com?mode=managed").0?.verdict.name == "skipped")
        #expect(play(.ios14, "appclips:*.example.com").0?.verdict.name == "skipped")
        #expect(play(.ios14, "applinks:https://example.com").0?.verdict.name == "skipped")
        #expect(play(.ios14, "applinks:*").0?.verdict.name == "skipped")
        let (wildcard, requests) = play(.ios13, "applinks:*.Example.com")
        #expect(wildcard?.verdict == .associated)
        #expect(requests.first?.host == "example.com")
        let (port, asked) = play(.ios13, "webcredentials:example.com:8443")
        #expect(port?.verdict == .associated)
        #expect(asked.first?.port == 8443)
        #expect(
            play(.ios14, "webcredentials:example.com:8443").1.first?.target
                == "/a/v1/example.com:8443")
    }

    @Test func playsTheCDNWhenOnlyThisMachineKnowsTheHost() throws {
        let override = try #require(Resolver.Override(parsing: "example.com:443:127.0.0.1"))
        for (origin, verdict) in [
            (Self.answer(200, Self.document), "associated"), (Self.answer(403), "will-retry"),
            (Self.answer(200, "<html>"), "will-retry"),
        ] {
            let network = Network([origin])
            var device = Device(
                Device.Settings(app: Self.app, era: .ios14),
                resolver: Resolver(overrides: [override]),
                signatures: { _, _ in SignedDocument(payload: [], problem: nil) },
                chance: { 0 }, ask: { network.ask($0) })
            let transcript = device.install([EntitlementEntry("applinks:example.com")]).first
            #expect(transcript?.verdict.name == verdict)
            #expect(network.requests.first?.host == "example.com")
            let agent = network.requests.first?.fields.first { $0.name == "User-Agent" }
            #expect(agent?.value == "AASA-Bot/1.0.0")
        }
    }
}

@Suite struct CDNRouteTests {
    @Test func readsURLs() {
        #expect(
            CDNRoute(parsing: "http://127.0.0.1:8080/x/")
                == .server(host: "127.0.0.1", port: 8080, isTLS: false, base: "/x"))
        #expect(
            CDNRoute(parsing: "https://[::1]:444")
                == .server(host: "::1", port: 444, isTLS: true, base: ""))
        #expect(
            CDNRoute(parsing: "https://cdn.example")
                == .server(host: "cdn.example", port: 443, isTLS: true, base: ""))
        #expect(CDNRoute(parsing: "cdn.example") == nil)
        #expect(CDNRoute(parsing: "ftp://cdn.example") == nil)
        #expect(CDNRoute(parsing: "https://cdn.example:x") == nil)
    }
}
