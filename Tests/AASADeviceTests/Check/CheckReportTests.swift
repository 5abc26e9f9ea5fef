import AASAClient
import AppSiteAssociation
import TestSupport
import Testing

@testable import AASADevice

@Suite struct CheckReportTests: EvaluatorSuite {
    private static func report(
        _ probes: Probes, port: UInt16 = 443, _ change: (inout CheckEvidence) -> Void = { _ in }
    ) -> CheckReport {
        var evidence = CheckEvidence(host: host, port: port, now: now)
        evidence.isOverridden = true
        for (purpose, exchange) in probes { evidence.add(purpose, exchange) }
        change(&evidence)
        return CheckReport(evidence, CheckSettings(now: now))
    }

    private static let untyped = report(base(exchange(200, document, [])))

    private static func transcript(_ service: String, _ era: Era, _ verdict: Verdict) -> Transcript
    {
        Transcript(
            entry: service, service: service, host: host, app: "any", era: era, verdict: verdict)
    }

    @Test func sumsUp() {
        expectEqual(Self.report(Self.base(Self.good)).summary, "example.com: good")
        expectEqual(Self.report(Self.base(Self.good), port: 8443).summary, "example.com:8443: good")
        expectEqual(Self.untyped.summary, "example.com: 1 warning")
        // The first error says what it is.
        expectEqual(
            Self.report([(.base(.wellKnown, address: 0), Self.exchange(404))]).summary,
            "example.com: 1 error. The document does not exist (404)")
        let more = Self.report(
            Self.base(Self.exchange(200, Self.document, [])) + [
                (.agent(.device), Self.exchange(403)), (.agent(.unknown), Self.exchange(403)),
                (.sibling("/.well-known/webauthn"), Self.exchange(500)),
            ])
        #expect(more.summary.hasPrefix("example.com: 2 errors, 2 warnings. "))
    }

    @Test(arguments: [
        ("example.com", 443, "example.com"), ("example.com", 8443, "example.com:8443"),
        ("::1", 443, "[::1]"), ("::1", 9443, "[::1]:9443"),
    ])
    func namesTheHostAsItWasGiven(host: String, port: UInt16, name: String) {
        let evidence = CheckEvidence(host: host, port: port, now: Self.now)
        expectEqual(CheckReport(evidence, CheckSettings(now: Self.now)).name, name)
    }

    @Test func failsAtItsLevel() {
        #expect(!Self.untyped.fails(at: .error))
        #expect(Self.untyped.fails(at: .warning))
        #expect(Self.untyped.fails(at: .note))
        #expect(!Self.report(Self.base(Self.good)).fails(at: .note))
        #expect(Self.untyped.count(.warning) == 1 && Self.untyped.count(.error) == 0)
    }

    @Test func writesEachFindingForPeople() {
        let text = Self.untyped.text(verbose: false)
        let entry = CheckCatalog.entry("answer-no-content-type")
        for part in [
            "https://example.com/.well-known/apple-app-site-association: warning: there is no "
                + "Content-Type [answer-no-content-type]",
            "   = why: \(entry?.why ?? "?")", "   = fix: \(entry?.remedy ?? "?")",
        ] { #expect(text.split(separator: "\n").contains(Substring(part)), "\(text)") }
    }

    @Test func keepsNotesForThoseWhoAsk() {
        func report(_ count: Int) -> CheckReport {
            var probes = Self.base(
                Self.exchange(200, Self.document, Self.json + [("Set-Cookie", "a=b")]))
            if count > 1 { probes.append((.range, Self.exchange(206))) }
            return Self.report(probes)
        }
        #expect(report(1).text(verbose: false).hasSuffix("\n  1 note with --verbose"))
        #expect(report(2).text(verbose: false).hasSuffix("\n  2 notes with --verbose"))
        #expect(!report(1).text(verbose: false).contains("answer-cookie"))
        #expect(report(1).text(verbose: true).contains("answer-cookie"))
        #expect(!report(1).text(verbose: true).contains("--verbose"))
    }

    /// What was not checked is said without asking, as it is no fault of the host.
    @Test func saysWhatThisMachineCouldNotAsk() {
        var unrouted = Self.failed(.noRoute("Network is unreachable"))
        unrouted.timing.connected = nil
        unrouted.address = .v6(high: 0x2A00 << 48, low: 1, port: 443)
        let probe: Probes = [(.base(.wellKnown, address: 1), unrouted)]
        let partly = Self.report(Self.base(Self.good) + probe)
        #expect(partly.text(verbose: false).contains("  (IPv6 was not checked, at 2a00::1: "))
        #expect(!partly.fails(at: .error) && !partly.evidence.hasNoRoute)
        let nowhere = Self.report(probe)
        #expect(nowhere.fails(at: .error) && nowhere.evidence.hasNoRoute)
        #expect(nowhere.summary.contains("has no route to the host"))
        #expect(!Self.report([]).evidence.hasNoRoute)
    }

    /// Services with the same verdict stand together, eras in their order.
    @Test func tellsWhatEachEraMakesOfIt() {
        let no = Verdict.denied(.nothingListed)
        let report = Self.report(Self.base(Self.good)) {
            $0.eras = [
                Self.transcript("applinks", .ios14, .associated),
                Self.transcript("webcredentials", .ios14, no),
                Self.transcript("appclips", .ios14, .associated),
                Self.transcript("applinks", .ios93, no),
            ]
        }
        let lines = report.text(verbose: false).split(separator: "\n").map(String.init)
        let table = lines.suffix(3)
        expectEqual(
            Array(table),
            [
                "  iOS 9.3 to 12     applinks: \(no.sentence)",
                "  iOS 14 to 18      applinks, appclips: associated",
                "                    webcredentials: \(no.sentence)",
            ])
        let unreachable = Self.report(Self.base(Self.good) + [(.cdn, Self.failed(.refused))])
        #expect(unreachable.text(verbose: false).contains("could not be asked from here"))
        #expect(!report.text(verbose: false).contains("could not be asked from here"))
    }

    @Test func writesItForMachines() throws {
        let report = Self.report(
            Self.base(Self.exchange(200, Self.document, []))
                + [(.cdn, Self.failed(.refused)), (.agent(.device), Self.exchange(403))],
            port: 8443
        ) {
            $0.addresses = [Self.address]
            $0.unasked = 2
            $0.eras = [Self.transcript("applinks", .ios14, .denied(.nothingListed))]
        }
        // What is written can be read.
        let text = String(
            decoding: JSONWriter.minified(report.json(exchanges: true)), as: UTF8.self)
        let json = try JSONReader.read(SourceText(name: "report", text: text)).root
        expectEqual(json["host"]?.string, "example.com")
        expectEqual(json["good"]?.bool, false)
        expectEqual(json["cdnPlayed"]?.bool, true)
        expectEqual(json["addresses"]?.array?.map(\.string), [Self.address.host])
        expectEqual(json["exchanges"]?.array?.count, 4)
        #expect(report.json(exchanges: false)["exchanges"] == nil)
        for (name, number) in [
            ("port", 8443), ("errors", report.count(.error)), ("warnings", report.count(.warning)),
            ("unaskedQuestions", 2),
        ] {
            guard case .number(let digits) = json[name]?.kind else {
                Issue.record("no \(name)")
                continue
            }
            expectEqual(Int(digits), number, "\(name)")
        }
        let finding = json["findings"]?.array?.first
        expectEqual(finding?["code"]?.string, "agent-device")
        expectEqual(finding?["severity"]?.string, "error")
        expectEqual(finding?["remedy"]?.string?.isEmpty, false)
        expectEqual(finding?["file"]?.string?.hasPrefix("https://"), true)
        let era = json["eras"]?.array?.first
        expectEqual(era?["era"]?.string, "ios14")
        expectEqual(era?["verdict"]?.string, "denied")
        expectEqual(era?["reason"]?.string, "the document lists no app at all")
        expectEqual(Self.report(Self.base(Self.good)).json(exchanges: false)["good"]?.bool, true)
        // A warning does not make a host bad.
        expectEqual(Self.untyped.json(exchanges: false)["good"]?.bool, true)
    }
}
