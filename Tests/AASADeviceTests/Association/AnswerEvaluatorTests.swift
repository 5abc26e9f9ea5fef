import AASAClient
import AASADevice
import AppSiteAssociation
import TestSupport
import Testing

@Suite struct AnswerEvaluatorTests: DeviceSuite {
    /// 999 is the refusal of some bot filters, and no failure of the server.
    @Test(arguments: [(499, false), (500, true), (599, true), (600, false), (999, false)])
    func failuresOfTheServerAreTemporary(_ status: Int, _ isTemporary: Bool) {
        for era in [Era.ios8, .ios93, .ios13, .developer, .managed] {
            var isAsked = false
            if case .temporary = AnswerEvaluator.refusal(status: status, era: era) {
                isAsked = true
            }
            expectEqual(isAsked, isTemporary, "\(era)")
        }
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
            (.ios93, Self.answer(200, "<html>"), "denied"),
            (.ios13, Self.answer(200, "<html>"), "denied"),
            (.ios13, Self.answer(200, "{}"), "denied"),
            (.ios13, Self.answer(200, String(repeating: " ", count: 131_073)), "will-retry"),
        ]
        for (era, answer, expected) in cases {
            let (transcripts, _) = Self.play(era, ["webcredentials:example.com"], [answer])
            expectEqual(
                transcripts.first?.verdict.name, expected,
                "\(era) \(answer.head?.lines.first ?? "")")
        }
    }

    @Test func namesTheAppThatIsNearlyListed() {
        let other = Self.document.replacing("ABCDE12345", with: "9JA89QQLNQ")
        let (played, _) = Self.play(.ios13, ["applinks:example.com"], [Self.answer(200, other)])
        let reason = played.first?.verdict.reason?.description ?? ""
        #expect(reason.contains("with the prefix 9JA89QQLNQ"), "\(reason)")
    }
}
