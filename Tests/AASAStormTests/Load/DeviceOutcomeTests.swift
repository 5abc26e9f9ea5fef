import Testing

@testable import AASAStorm

@Suite struct DeviceOutcomeTests {
    /// Reports are read by people and by scripts: each has words of its own.
    @Test func everyReasonIsExplained() {
        let reasons = FailureReason.allCases
        #expect(Set(reasons.map(\.explanation)).count == reasons.count)
        for reason in reasons { #expect(reason.explanation.count > 10) }
        let denials = Denial.allCases
        #expect(Set(denials.map(\.explanation)).count == denials.count)
        for denial in denials { #expect(denial.explanation.count > 10) }
    }

    @Test func namesAreWordsOfScripts() {
        for name in FailureReason.allCases.map(\.rawValue) + Denial.allCases.map(\.rawValue) {
            #expect(name.allSatisfy { $0.isLowercase || $0 == "-" }, "\(name)")
        }
    }

    /// What is final and what is asked again is said in the words of the rule.
    @Test func saysWhetherADeviceAsksAgain() {
        #expect(Denial.refused.explanation.contains("not asked again"))
        #expect(Denial.asksAgain.explanation.contains("asked again in"))
        #expect(FailureReason.triesUsedUp.explanation.contains("not asked again"))
        #expect(FailureReason.generator.explanation.contains("generator's limit"))
    }
}
