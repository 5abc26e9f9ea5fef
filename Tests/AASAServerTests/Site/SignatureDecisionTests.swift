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
        _ signer: String, begins: Int64 = 0, ends: Int64 = 100, payload: [UInt8] = [1]
    ) -> HostSignature {
        HostSignature(
            der: [], payload: payload, signer: signer, notBefore: begins, notAfter: ends)
    }

    private func decide(
        _ current: HostSignature?, _ signers: [SignatureDecision.Signer], _ now: Int64
    ) -> SignatureDecision {
        SignatureDecision.decide(current: current, document: [1], signers: signers, now: now)
    }

    @Test func theFirstSignatureIsMade() {
        #expect(decide(nil, [signer("a")], 50) == .sign(with: 0))
    }

    @Test func aGoodSignatureIsKept() {
        #expect(decide(current("a"), [signer("a")], 50) == .keep)
    }

    @Test func anotherDocumentIsSigned() {
        #expect(decide(current("a", payload: [2]), [signer("a")], 50) == .sign(with: 0))
    }

    @Test func aRenewedCertificateSignsAnew() {
        #expect(decide(current("a"), [signer("b", 40, 140)], 50) == .sign(with: 0))
    }

    /// No signature is served under a name that it does not cover.
    @Test func theSignerForTheMostNamesComesFirst() {
        let signers = [
            signer("r", 0, 300, uncovered: 1, rsa: true), signer("e", 0, 90),
            signer("f", 0, 200, uncovered: 2),
        ]
        #expect(decide(current("r"), signers, 50) == .sign(with: 1))
        #expect(decide(nil, signers, 95) == .sign(with: 0))
    }

    @Test func rsaComesFirstThenTheLongestLife() {
        let signers = [
            signer("e", 0, 300), signer("r", 0, 90, rsa: true), signer("s", 0, 95, rsa: true),
        ]
        #expect(decide(nil, signers, 50) == .sign(with: 2))
        #expect(decide(nil, signers, 97) == .sign(with: 0))
    }

    @Test(
        arguments: [
            (100, "the signing certificate expired on 1970-01-01"),
            (-1, "the signing certificate is not valid before 1970-01-01: check the clock"),
        ] as [(Int64, String)])
    func whoIsNotValidNeverSigns(now: Int64, why: String) {
        #expect(
            decide(current("old", begins: -10, ends: 200, payload: [2]), [signer("a")], now)
                == .none(why: why))
        #expect(decide(nil, [signer("a")], now) == .none(why: why))
    }

    @Test func whoDoesNotCoverTheHostNeverSigns() {
        #expect(
            decide(current("old"), [signer("a", covers: false)], 50)
                == .none(why: "the signing certificate does not cover the host"))
    }

    @Test func aSignatureThatHasEndedIsNotServed() {
        #expect(
            decide(current("a", ends: 50), [signer("a", 0, 50)], 50)
                == .none(why: "the signing certificate expired on 1970-01-01"))
        #expect(
            decide(current("a", ends: 50), [], 60)
                == .none(why: "there is no certificate to sign with"))
    }
}
