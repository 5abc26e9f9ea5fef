import Testing

@testable import AASADevice

@Suite struct AnswerCatalogTests: CatalogSuite {
    @Test func hasEveryCodeOfAnswers() {
        expectWhole(
            family("answers"), of: ["answer-"],
            harmless: [
                "answer-slow": .warning, "answer-content-type": .warning,
                "answer-no-content-type": .warning,
                "answer-compressed": .warning, "answer-unknown-coding": .warning,
                "answer-conditional-304": .warning,
                "answer-conditional-412": .warning, "answer-range-206": .note,
                "answer-range-416": .warning,
                "answer-head": .warning, "answer-cookie": .note, "answer-cached-long": .warning,
                "answer-paths-differ": .warning, "answer-root-only": .warning,
                "answer-root-missing": .note,
                "answer-ambiguous": .warning,
            ])
    }

    @Test func hasEveryCodeOfAskersAndDevices() {
        expectWhole(
            family("user agents"), of: ["agent-"],
            harmless: [
                "agent-unknown": .warning, "agent-none": .warning, "agent-differs": .warning,
            ])
        expectWhole(
            family("devices"), of: ["device-", "check-"], harmless: ["check-incomplete": .warning])
    }

    @Test func hasEveryCodeOfSiblings() {
        expectWhole(
            family("siblings"), of: ["sibling-"], harmless: ["sibling-missing": .note])
    }
}
