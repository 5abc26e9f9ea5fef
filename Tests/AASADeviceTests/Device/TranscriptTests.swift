import AASAClient
import AASADevice
import TestSupport
import Testing

@Suite struct TranscriptTests: DeviceSuite {
    /// A story in which nothing was asked holds nothing unknown.
    @Test func countsQuestionsAndSaysWhatIsUnknown() {
        let (played, _) = Self.play(
            .ios14, ["applinks:example.com", "applinks:*"],
            [Self.answer(503), Self.answer(200, Self.document)])
        expectEqual(played.map(\.questions), [2, 0])
        expectEqual(played.map(\.standing), [Era.ios14.rules.unknowns, []])
        #expect(!Era.ios14.rules.unknowns.isEmpty)
    }

    /// Apple documents that its JSON reader accepts one; nobody has reported it of devices.
    @Test(arguments: [Era.ios93, .ios13]) func aByteOrderMarkLeavesTheVerdictOpen(_ era: Era) {
        for (body, isOpen) in [("\u{FEFF}" + Self.document, true), (Self.document, false)] {
            let (played, _) = Self.play(era, ["applinks:example.com"], [Self.answer(200, body)])
            expectEqual(played[0].verdict, .associated)
            expectEqual((played[0].doubt?.contains("byte order mark") == true), isOpen)
            expectEqual(played[0].sentence.hasPrefix("not known: whether a document"), isOpen)
            #expect(played[0].text.contains("verdict: \(played[0].sentence)\n"))
            expectEqual(played[0].json["verdict"]?.string, (isOpen ? "not-known" : "associated"))
        }
        // One that is denied is denied with or without it.
        let (denied, _) = Self.play(
            era, ["applinks:example.com"], [Self.answer(200, "\u{FEFF}{}")])
        #expect(denied[0].doubt == nil)
    }

    @Test(arguments: [
        (0, "0 s"), (1, "1 s"), (59, "59 s"), (60, "1 min"), (119, "1 min"), (3599, "59 min"),
        (3600, "1 h"), (3660, "1 h 1 min"), (86_399, "23 h 59 min"), (86_400, "1 d"),
        (86_460, "1 d"), (90_000, "1 d 1 h"), (90_060, "1 d 1 h"), (172_800, "2 d"),
    ])
    func writesASpanForPeople(seconds: Int, text: String) {
        expectEqual(spanText(seconds), text)
    }
}
