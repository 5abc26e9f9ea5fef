import Testing

@testable import AASADevice

@Suite struct AnswerCatalogTests: CatalogSuite {
    @Test func hasEveryCodeOfAnswers() {
        expectWhole(
            family("answers"), of: ["answer-"],
            harmless: [
                .answerSlow: .warning, .answerContentType: .warning, .answerNoContentType: .warning,
                .answerCompressed: .warning, .answerUnknownCoding: .warning,
                .answerConditional304: .warning,
                .answerConditional412: .warning, .answerRange206: .note, .answerRange416: .warning,
                .answerHead: .warning, .answerCookie: .note, .answerCachedLong: .warning,
                .answerPathsDiffer: .warning, .answerRootOnly: .warning, .answerRootMissing: .note,
                .answerAmbiguous: .warning,
            ])
    }

    @Test func hasEveryCodeOfAskersAndDevices() {
        expectWhole(
            family("user agents"), of: ["agent-"],
            harmless: [.agentUnknown: .warning, .agentNone: .warning, .agentDiffers: .warning])
        expectWhole(
            family("devices"), of: ["device-", "check-"], harmless: [.checkIncomplete: .warning])
    }

    @Test func hasEveryCodeOfSiblings() {
        expectWhole(
            family("siblings"), of: ["sibling-"], harmless: [.siblingMissing: .note])
    }
}
