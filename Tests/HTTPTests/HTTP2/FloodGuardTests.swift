import TestSupport
import Testing

@testable import HTTP

extension HTTP2FrameHead {
    fileprivate init(_ kind: Kind, flags: UInt8 = 0) {
        let frame = RawFrame(type: kind.rawValue, flags: flags, stream: 0)
        self = frame.octets.withUnsafeBytes { HTTP2FrameHead($0) }
    }

    fileprivate static let settings = HTTP2FrameHead(.settings)
    fileprivate static let ping = HTTP2FrameHead(.ping)
    fileprivate static let headers = HTTP2FrameHead(.headers)
    fileprivate static let continuation = HTTP2FrameHead(.continuation)
    fileprivate static let reset = HTTP2FrameHead(.rstStream)
    fileprivate static let acknowledgement = HTTP2FrameHead(.settings, flags: 1)
    fileprivate static let other = HTTP2FrameHead(.windowUpdate)
}

struct FloodGuardTests {
    static let second: UInt64 = 1_000_000_000

    func limits(_ change: (inout FloodLimits) -> Void) -> FloodLimits {
        var limits = FloodLimits()
        change(&limits)
        return limits
    }

    /// How many events pass before one is refused, and the reason.
    func count<Breach>(
        _ guardian: inout FloodGuard, atMost most: Int = 10_000,
        _ event: (inout FloodGuard) -> Breach?
    ) -> (Int, Breach?) {
        for passed in 0..<most {
            if let reason = event(&guardian) { return (passed, reason) }
        }
        return (most, nil)
    }

    @Test(arguments: [
        (HTTP2FrameHead.other, 200, FloodGuard.Breach.fail(.frameBudget)),
        (.acknowledgement, 200, .fail(.frameBudget)),
        (HTTP2FrameHead(.ping, flags: 1), 200, .fail(.frameBudget)),
        (.settings, 16, .windDown(.settingsBudget)),
        (.ping, 16, .windDown(.pingBudget)),
        (.reset, 16, .windDown(.resetBudget)),
        (.continuation, 8, .fail(.continuationBudget)),
    ])
    func atOnce(frame: HTTP2FrameHead, most: Int, breach: FloodGuard.Breach) {
        var guardian = FloodGuard(now: 7)
        let (passed, refusal) = count(&guardian) { $0.frameReceived(frame, now: 7) }
        #expect(passed == most && refusal == breach)
    }

    /// An eager peer that does not stop is not eager.
    @Test(arguments: [
        (HTTP2FrameHead.settings, HTTP2CloseReason.settingsBudget),
        (.ping, .pingBudget), (.reset, .resetBudget),
    ])
    func aBudgetRefusedTwiceOver(frame: HTTP2FrameHead, reason: HTTP2CloseReason) {
        var guardian = FloodGuard(now: 7)
        let breaches = (0..<33).map { _ in guardian.frameReceived(frame, now: 7) }
        #expect(breaches[..<16].allSatisfy { $0 == nil })
        #expect(breaches[16..<32].allSatisfy { $0 == .windDown(reason) })
        expectEqual(breaches[32], .fail(reason))
    }

    /// A front whose clients leave now and then reads more answers than it cancels requests.
    @Test func answersEarnResets() {
        var guardian = FloodGuard(now: 0)
        for _ in 0..<500 {
            guardian.answerBegan(now: 0)
            guardian.answerEnded(whole: true, now: 0)
            #expect(guardian.frameReceived(.reset, now: 0) == nil)
        }
        for _ in 0..<15 {
            guardian.answerBegan(now: 0)
            guardian.answerEnded(whole: false, now: 0)
            #expect(guardian.frameReceived(.reset, now: 0) == nil)
        }
        expectEqual(guardian.frameReceived(.reset, now: 0), .windDown(.resetBudget))
    }

    @Test func timeRefills() {
        var guardian = FloodGuard(now: 0)
        _ = count(&guardian) { $0.frameReceived(.other, now: 0) }
        expectEqual(guardian.frameReceived(.other, now: Self.second / 20 - 1), .fail(.frameBudget))
        // 20 per second: a second brings 20, a year no more than the whole budget.
        let (passed, _) = count(&guardian) { $0.frameReceived(.other, now: 2 * Self.second) }
        expectEqual(passed, 40)
        let year = 31_536_000 * Self.second
        let (later, _) = count(&guardian) { $0.frameReceived(.other, now: year) }
        expectEqual(later, 200)
    }

    @Test func timeThatStandsStillOrGoesBack() {
        var guardian = FloodGuard(now: 10 * Self.second)
        _ = count(&guardian) { $0.frameReceived(.ping, now: 10 * Self.second) }
        expectEqual(guardian.frameReceived(.ping, now: 0), .windDown(.pingBudget))
    }

    @Test func answersEarn() {
        var guardian = FloodGuard(now: 0)
        _ = count(&guardian) { $0.frameReceived(.other, now: 0) }
        guardian.answerBegan(now: 0)
        guardian.answerEnded(whole: false, now: 0)
        expectEqual(guardian.frameReceived(.other, now: 0), .fail(.frameBudget))
        guardian.answerBegan(now: 0)
        guardian.answerEnded(whole: true, now: 0)
        // Two refusals went below zero before the 16 came.
        let (passed, _) = count(&guardian) { $0.frameReceived(.other, now: 0) }
        expectEqual(passed, 14)
    }

    @Test func contentEarnsWindowUpdates() {
        var guardian = FloodGuard(now: 0)
        let (passed, _) = count(&guardian, atMost: 100_000) { guardian in
            guardian.contentSent(2048, now: 0)
            return guardian.frameReceived(.other, now: 0)
        }
        expectEqual(passed, 100_000)
        var other = FloodGuard(now: 0)
        let (refused, reason) = count(&other, atMost: 100_000) { guardian in
            guardian.contentSent(1, now: 0)
            return guardian.frameReceived(.other, now: 0)
        }
        #expect(refused == 200 && reason == .fail(.frameBudget))
    }

    @Test func bytes() {
        var guardian = FloodGuard(now: 0)
        #expect(guardian.bytesReceived(FloodLimits().bytes) == nil)
        expectEqual(guardian.bytesReceived(1), .byteBudget)
        guardian.answerBegan(now: 0)
        guardian.answerEnded(whole: true, now: 0)
        // One byte is owed from before.
        #expect(guardian.bytesReceived(FloodLimits().bytesPerAnswer - 1) == nil)
        expectEqual(guardian.bytesReceived(1), .byteBudget)
    }

    @Test func provokedResets() {
        var guardian = FloodGuard(now: 0)
        let (passed, reason) = count(&guardian) { $0.resetProvoked() }
        #expect(passed == 8 && reason == .provokedResetBudget)
    }

    @Test func continuationsArePerBlock() {
        var guardian = FloodGuard(now: 0)
        for _ in 0..<10 {
            #expect(guardian.frameReceived(.headers, now: 0) == nil)
            for _ in 0..<8 { #expect(guardian.frameReceived(.continuation, now: 0) == nil) }
        }
    }

    @Test func headerList() {
        var guardian = FloodGuard(now: 0)
        guardian.fieldBlockBegan()
        expectEqual(guardian.fieldReceived(size: 81_920), .read)
        expectEqual(guardian.fieldReceived(size: 1), .skip)
        expectEqual(guardian.fieldReceived(size: 98_304 - 81_921), .skip)
        expectEqual(guardian.fieldReceived(size: 1), .close(.headerListBudget))
        guardian.fieldBlockBegan()
        expectEqual(guardian.fieldReceived(size: 81_920), .read)
    }

    @Test func stallDeadline() {
        var guardian = FloodGuard(now: 0)
        #expect(guardian.deadline == nil)
        guardian.answerBegan(now: Self.second)
        expectEqual(guardian.deadline, 21 * Self.second)
        // 4 KiB are worth a second, but never more than 20 s from now.
        guardian.contentSent(4096, now: Self.second)
        expectEqual(guardian.deadline, 21 * Self.second)
        guardian.contentSent(4096, now: 11 * Self.second)
        expectEqual((guardian.deadline ?? 0) / 1_000_000, 21_999)
        guardian.answerBegan(now: 12 * Self.second)
        guardian.answerEnded(whole: true, now: 12 * Self.second)
        expectEqual(guardian.deadline, 32 * Self.second)
        guardian.answerEnded(whole: false, now: 12 * Self.second)
        #expect(guardian.deadline == nil)
    }

    @Test func noLimits() {
        var guardian = FloodGuard(limits: .none, now: 0)
        for frame in [HTTP2FrameHead.other, .ping, .settings, .reset, .continuation] {
            let (_, reason) = count(&guardian) { $0.frameReceived(frame, now: 0) }
            #expect(reason == nil)
        }
        #expect(guardian.bytesReceived(1 << 40) == nil)
        #expect(guardian.bytesReceived(1 << 40) == nil)
    }
}
