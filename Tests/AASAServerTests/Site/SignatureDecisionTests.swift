import Testing

@testable import AASAServer

@Suite struct SignatureDecisionTests {
    private func signer(
        _ name: String, _ begins: Int64 = 0, _ ends: Int64 = 100, covers: Bool = true,
        uncovered: Int = 0, rsa: Bool = false
    ) -> SignatureDecision.Signer {
        SignatureDecision.Signer(
            identity: name, notBefore: begins, notAfter: ends, coversHost: covers,
            uncoveredNames: uncovered, isRSA: rsa)
    }

    private func current(
        _ signer: String, ends: Int64 = 100, isOverDocument: Bool = true
    ) -> SignatureDecision.Current {
        SignatureDecision.Current(
            signer: signer, notBefore: 0, notAfter: ends, isOverDocument: isOverDocument)
    }

    @Test func theFirstSignatureIsMade() {
        #expect(
            SignatureDecision.decide(current: nil, signers: [signer("a")], now: 50)
                == .sign(with: 0))
    }

    @Test func aGoodSignatureIsKept() {
        #expect(
            SignatureDecision.decide(current: current("a"), signers: [signer("a")], now: 50)
                == .keep)
    }

    @Test func anotherDocumentIsSigned() {
        #expect(
            SignatureDecision.decide(
                current: current("a", isOverDocument: false), signers: [signer("a")], now: 50)
                == .sign(with: 0))
    }

    @Test func aRenewedCertificateSignsAnew() {
        #expect(
            SignatureDecision.decide(
                current: current("a"), signers: [signer("b", 40, 140)], now: 50)
                == .sign(with: 0))
    }

    /// No signature is served under a name that it does not cover.
    @Test func theSignerForTheMostNamesComesFirst() {
        let signers = [
            signer("r", 0, 300, uncovered: 1, rsa: true), signer("e", 0, 90),
            signer("f", 0, 200, uncovered: 2),
        ]
        #expect(
            SignatureDecision.decide(current: current("r"), signers: signers, now: 50)
                == .sign(with: 1))
        #expect(
            SignatureDecision.decide(current: nil, signers: signers, now: 95) == .sign(with: 0))
    }

    @Test func rsaComesFirstThenTheLongestLife() {
        let signers = [
            signer("e", 0, 300), signer("r", 0, 90, rsa: true), signer("s", 0, 95, rsa: true),
        ]
        #expect(SignatureDecision.decide(current: nil, signers: signers, now: 50) == .sign(with: 2))
        #expect(SignatureDecision.decide(current: nil, signers: signers, now: 97) == .sign(with: 0))
    }

    @Test(
        arguments: [
            (100, SignatureDecision.Reason.ended(100)), (-1, .notYetBegun(0)),
        ] as [(Int64, SignatureDecision.Reason)])
    func whoIsNotValidNeverSigns(now: Int64, reason: SignatureDecision.Reason) {
        #expect(
            SignatureDecision.decide(
                current: SignatureDecision.Current(
                    signer: "old", notBefore: -10, notAfter: 200, isOverDocument: false),
                signers: [signer("a")], now: now) == .keepLastGood(reason))
        #expect(
            SignatureDecision.decide(current: nil, signers: [signer("a")], now: now)
                == .none(reason))
    }

    @Test func whoDoesNotCoverTheHostNeverSigns() {
        #expect(
            SignatureDecision.decide(
                current: current("old"), signers: [signer("a", covers: false)], now: 50)
                == .keepLastGood(.doesNotCoverHost))
    }

    @Test func aSignatureThatHasEndedIsNotServed() {
        #expect(
            SignatureDecision.decide(
                current: current("a", ends: 50), signers: [signer("a", 0, 50)], now: 50)
                == .none(.ended(50)))
        #expect(
            SignatureDecision.decide(current: current("a", ends: 50), signers: [], now: 60)
                == .none(.noCertificate))
    }

    @Test func everyReasonReadsWell() {
        #expect("\(SignatureDecision.Reason.ended(0))".contains("1970-01-01"))
        #expect("\(SignatureDecision.Reason.noCertificate)".contains("no certificate"))
        #expect("\(SignatureDecision.Reason.notYetBegun(0))".contains("clock"))
        #expect("\(SignatureDecision.Reason.doesNotCoverHost)".contains("cover"))
    }
}
