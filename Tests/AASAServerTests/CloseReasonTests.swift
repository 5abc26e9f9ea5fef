import Testing

@testable import AASAServer

@Suite struct CloseReasonTests {
    @Test func everyReasonHasItsOwnLabel() {
        let labels = CloseReason.allCases.map(\.label)
        #expect(Set(labels).count == labels.count)
        #expect(CloseReason.notTLS.label == "not_tls")
        #expect(CloseReason.http2ByteBudget.label == "http2_byte_budget")
        #expect(CloseReason.leftBeforeAnswer.label == "left_before_answer")
        #expect(CloseReason.answered.label == "answered")
        #expect(
            labels.allSatisfy {
                $0.utf8.allSatisfy { $0 == 95 || (48...57).contains($0) || $0 >= 97 }
            })
    }
}
