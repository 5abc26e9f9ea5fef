import TestSupport
import Testing

@testable import AASAStorm

@Suite struct DeviceOutcomeTests {
    /// Reports are read by people and by scripts: each has words of its own.
    @Test func everyReasonIsExplained() {
        let reasons = FailureReason.allCases
        expectEqual(Set(reasons.map(\.explanation)).count, reasons.count)
        for reason in reasons { #expect(reason.explanation.count > 10) }
        let denials = Denial.allCases
        expectEqual(Set(denials.map(\.explanation)).count, denials.count)
        for denial in denials { #expect(denial.explanation.count > 10) }
    }

    @Test func namesAreWordsOfScripts() {
        for name in FailureReason.allCases.map(\.rawValue) + Denial.allCases.map(\.rawValue) {
            #expect(name.allSatisfy { $0.isLowercase || $0 == "-" }, "\(name)")
        }
    }

    /// What is final and what is asked again is said in the words of the rule.
    @Test func saysWhetherADeviceAsksAgain() {
        #expect(Denial.refused.explanation.contains("no retry"))
        #expect(Denial.asksAgain.explanation.contains("retry in"))
        #expect(FailureReason.triesUsedUp.explanation.contains("no retry"))
        #expect(FailureReason.generator.explanation.contains("a limit of the generator"))
    }
}
