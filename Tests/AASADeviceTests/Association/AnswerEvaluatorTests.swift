import AASAClient
import AASADevice
import AppSiteAssociation
import Testing

@Suite struct AnswerEvaluatorTests: DeviceSuite {
    @Test func readsAnswersAsTheEraDoes() {
        let cases: [(Era, ClientExchange, String)] = [
            (.ios13, Self.answer(301), "denied"),
            (.ios13, Self.answer(304), "denied"),
            (.ios13, Self.answer(403), "denied"),
            (.ios13, Self.answer(503), "will-retry"),
            (.ios93, Self.answer(599), "will-retry"),
            // The refusal of some bot filters is no failure of the server.
            (.ios93, Self.answer(999), "failed"),
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
}
