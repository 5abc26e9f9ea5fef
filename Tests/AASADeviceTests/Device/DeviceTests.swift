import AASAClient
import AASADevice
import AppSiteAssociation
import TestSupport
import Testing

@Suite struct DeviceTests: DeviceSuite {
    @Test func threeDaysOfStoryTakeNoTime() {
        let busy = Self.answer(503)
        let (transcripts, network) = Self.play(
            .ios93, ["applinks:example.com"], [busy, busy, Self.answer(200, Self.document)])
        expectEqual(transcripts.first?.verdict, .associated)
        expectEqual(network.requests.count, 3)
        expectEqual(transcripts.first?.events.last?.time, 2 * 10_800)
    }

    @Test func givesUpAfterEightTriesInTheOldRule() {
        let (transcripts, network) = Self.play(
            .ios8, ["webcredentials:example.com"], [Self.answer(500)])
        expectEqual(network.requests.count, 8)
        expectEqual(transcripts.first?.verdict.name, "failed")
        expectEqual(transcripts.first?.events.last?.time, 7 * 10_800)
    }

    /// The speed of a server changes neither the verdict nor the virtual time, and no URL takes
    /// more than twice the limit of a request.
    @Test(arguments: [
        (Duration.zero, 8), (.seconds(1), 8), (.milliseconds(14_900), 3), (.seconds(24), 2),
        (.seconds(30), 1), (.seconds(31), 1),
    ])
    func theVirtualClockDecidesAlsoForASlowHost(each: Duration, sent: Int) {
        var busy = Self.answer(503)
        busy.timing.ended = each
        let (fast, _) = Self.play(.ios8, ["webcredentials:example.com"], [Self.answer(503)])
        let (slow, network) = Self.play(.ios8, ["webcredentials:example.com"], [busy])
        expectEqual(slow.map(\.verdict), fast.map(\.verdict))
        expectEqual(slow[0].events.map(\.time), fast[0].events.map(\.time))
        #expect(slow[0].questions == 8 && network.requests.count == sent)
        expectEqual(slow[0].text.contains("the outcome is reused"), (sent < 8))
        if sent == 3 { #expect(slow[0].text.contains("the same 2 times more, until +6 h")) }
        let reused = slow[0].json["events"]?.array?.filter { $0["reused"]?.bool == true }
        expectEqual(reused?.count, 8 - sent)
    }

    /// A host that never answers is tried until the horizon, and asked once.
    @Test func aHostThatTimesOutIsAskedOnce() {
        var silent = Self.answer(0)
        silent.head = nil
        silent.failure = .timeout(.connecting)
        silent.timing.ended = .seconds(30)
        let (transcripts, network) = Self.play(
            .ios14, ["applinks:example.com", "webcredentials:example.com"], [silent])
        expectEqual(network.requests.count, 1)
        for transcript in transcripts {
            expectEqual(transcript.verdict.name, "will-retry")
            let last = transcript.events.last?.time ?? 0
            #expect(last > 2 * 86_400 && last <= 3 * 86_400)
        }
    }

    @Test func sharesADownloadBetweenServices() {
        let (transcripts, network) = Self.play(
            .ios13,
            ["applinks:example.com", "webcredentials:example.com", "appclips:example.com"],
            [Self.answer(200, Self.document)])
        expectEqual(network.requests.count, 1)
        expectEqual(transcripts.map(\.verdict.name), ["associated", "associated", "skipped"])
        let (later, asked) = Self.play(
            .developer, ["applinks:example.com", "appclips:example.com"],
            [Self.answer(200, Self.document)])
        expectEqual(asked.requests.count, 1)
        expectEqual(later.last?.verdict, .denied(.other("the document has no \"appclips\"")))
    }

    @Test func saysWhatIsNotSimulated() {
        let (transcripts, _) = Self.play(
            .ios93, ["applinks:example.com"], [Self.answer(200, Self.document)])
        expectEqual(transcripts.first?.notSimulated.contains("RC4-MD5"), true)
        expectEqual(transcripts.first?.text.contains("not simulated"), true)
    }

    @Test func honoursWhatTheEntrySays() {
        let good = [Self.answer(200, Self.document)]
        func play(_ era: Era, _ entry: String) -> (Transcript?, [ClientRequest]) {
            let (transcripts, network) = Self.play(era, [entry], good)
            return (transcripts.first, network.requests)
        }
        expectEqual(play(.ios14, "applinks:example.com?mode=developer").0?.verdict.name, "skipped")
        expectEqual(play(.developer, "applinks:example.com?mode=developer").0?.verdict, .associated)
        expectEqual(
            play(.developer, "applinks:example.com?mode=managed").0?.verdict.name, "skipped")
        expectEqual(
            play(.managed, "applinks:example.com?mode=developer+managed").0?.verdict.name,
            "skipped")
        expectEqual(play(.ios13, "applinks:example.com?mode=managed").0?.verdict.name, "skipped")
        expectEqual(play(.ios14, "appclips:*.example.com").0?.verdict.name, "skipped")
        expectEqual(play(.ios14, "applinks:https://example.com").0?.verdict.name, "skipped")
        expectEqual(play(.ios14, "applinks:*").0?.verdict.name, "skipped")
        let (wildcard, requests) = play(.ios13, "applinks:*.Example.com")
        expectEqual(wildcard?.verdict, .associated)
        expectEqual(requests.first?.host, "example.com")
        let (port, asked) = play(.ios13, "webcredentials:example.com:8443")
        expectEqual(port?.verdict, .associated)
        expectEqual(asked.first?.port, 8443)
        expectEqual(
            play(.ios14, "webcredentials:example.com:8443").1.first?.target,
            "/a/v1/example.com:8443")
        let (literal, found) = play(.ios13, "webcredentials:[::1]:8443")
        expectEqual(literal?.verdict, .associated)
        expectEqual(literal?.host, "::1")
        #expect(found.first?.host == "::1" && found.first?.port == 8443)
    }
}
