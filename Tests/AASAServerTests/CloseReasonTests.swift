import TestSupport
import Testing

@testable import AASAServer

@Suite struct CloseReasonTests {
    @Test func everyReasonHasItsOwnLabel() {
        let labels = CloseReason.allCases.map(\.label)
        expectEqual(Set(labels).count, labels.count)
        expectEqual(CloseReason.notTLS.label, "not_tls")
        expectEqual(CloseReason.http2ByteBudget.label, "http2_byte_budget")
        expectEqual(CloseReason.leftBeforeAnswer.label, "left_before_answer")
        expectEqual(CloseReason.answered.label, "answered")
        #expect(
            labels.allSatisfy {
                $0.utf8.allSatisfy { $0 == 95 || (48...57).contains($0) || $0 >= 97 }
            })
    }
}
