import AASADevice
import TestSupport
import Testing

@Suite struct VerdictTests {
    private static let reasons: [Verdict.Reason] = [
        .refused(status: 301), .refused(status: 404), .unreadable("W"), .unsigned,
        .badSignature("W"), .contentType("text/plain"), .contentType(nil), .nothingListed,
        .triesUsedUp(last: "W"), .other("W"),
    ]

    @Test func hasANameAndAReason() {
        let reason = Verdict.Reason.nothingListed
        let verdicts: [(Verdict, String)] = [
            (.associated, "associated"), (.denied(reason), "denied"),
            (.willRetry(reason, seconds: 1), "will-retry"), (.failed(reason), "failed"),
            (.skipped(reason), "skipped"),
        ]
        for (verdict, name) in verdicts {
            expectEqual(verdict.name, name)
            expectEqual(verdict.reason, (verdict == .associated ? nil : reason))
        }
    }

    /// No two reasons read alike, and each holds what is particular about it.
    @Test func saysTheReasonInItsOwnWords() {
        let texts = Self.reasons.map(\.description)
        expectEqual(Set(texts).count, texts.count)
        for (reason, text) in zip(Self.reasons, texts) {
            switch reason {
            case .refused(let status): #expect(text.contains("\(status)"))
            case .contentType(let type): #expect(text.contains(type ?? "without a Content-Type"))
            case .unreadable, .badSignature, .triesUsedUp, .other: #expect(text.contains("W"))
            case .unsigned, .nothingListed: #expect(!text.isEmpty)
            }
        }
    }

    @Test(arguments: [(299, false), (300, true), (304, false), (399, true), (400, false)])
    func callsARedirectByItsName(status: Int, isRedirect: Bool) {
        let text = Verdict.Reason.refused(status: status).description
        expectEqual(text.contains("redirect"), isRedirect)
    }
}
