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

    /// Whoever was served has done nothing wrong, and nor have we.
    @Test func `An ordinary end is nobody's fault`() {
        for reason in CloseReason.allCases where reason.meaning == .served {
            #expect(reason.fault == .nobody, "\(reason)")
        }
        // Both have what they came for, though neither is a client that asked for the document.
        #expect(CloseReason.challengeAnswered.fault == .nobody)
        #expect(CloseReason.frontCheck.fault == .nobody)
    }

    /// The log is for what an operator can mend: whatever a peer sends or leaves out only counts.
    @Test func `What a peer does is the peer's fault`() {
        for reason in CloseReason.allCases where reason.meaning == .left {
            #expect(reason.fault == .peer, "\(reason)")
        }
        for reason: CloseReason in [
            .silent, .handshakeTimeout, .handshakePressure, .helloPressure, .notTLS, .headTimeout,
            .badRequest, .truncatedRequest, .requestBody, .slowReader, .brokenTLS, .controlFlood,
            .proxyHeaderRefused, .proxyHeaderInvalid, .networkError,
        ] { #expect(reason.fault == .peer, "\(reason)") }
        for reason in CloseReason.allCases
        where reason.label.hasPrefix("http2_") && reason != .http2InternalError {
            #expect(reason.fault == .peer, "\(reason)")
        }
    }

    @Test func `Too few descriptors and our own errors are our fault`() {
        let ours = CloseReason.allCases.filter { $0.fault == .ours }
        #expect(Set(ours) == [.descriptorPressure, .http2InternalError, .internalError])
    }
}
