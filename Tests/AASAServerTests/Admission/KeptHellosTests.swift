import Reactor
import TestSupport
import Testing

@testable import AASAServer

@Suite struct KeptHellosTests {
    private func at(_ seconds: Double) -> MonotonicInstant {
        MonotonicInstant(nanoseconds: 1_000_000_000_000 + Int64(seconds * 1e9))
    }

    private func token(_ number: Int, generation: UInt32 = 1) -> SlotToken {
        SlotToken(index: number, generation: generation)
    }

    private func kept(maximum: Int = ServerLimits.standard.helloBytesInAll) -> KeptHellos {
        KeptHellos(maximum: maximum, grace: ServerLimits.standard.silenceUnderPressure)
    }

    @Test func theLargestProductOfBytesAndTimeGivesWay() {
        var kept = kept(maximum: 1000)
        kept.keep(token(0), bytes: 150, now: at(0))
        kept.keep(token(1), bytes: 600, now: at(1))
        #expect(kept.victim(now: at(9)) == nil)
        kept.keep(token(2), bytes: 400, now: at(1.4))
        // 600 for 0.4 s, and nobody for half a second but the first.
        expectEqual(kept.victim(now: at(1.4)), token(0))
        // 270, 480 and 160 bytes times seconds.
        expectEqual(kept.victim(now: at(1.8)), token(1))
        // The first has held 150 bytes for 20 s, the third 400 for 18.6 s.
        kept.remove(token(1))
        kept.keep(token(1), bytes: 600, now: at(20))
        expectEqual(kept.victim(now: at(20)), token(2))
        kept.remove(token(2))
        #expect(kept.victim(now: at(20)) == nil && kept.bytes == 750)
    }

    @Test func withinTheGraceNobodyGivesWayAndNobodyIsTakenIn() {
        var kept = kept(maximum: 1000)
        for number in 0..<11 { kept.keep(token(number), bytes: 100, now: at(0)) }
        #expect(kept.victim(now: at(0.4)) == nil)
        expectEqual(kept.isFull(now: at(0.4)), true)
        expectEqual(kept.isFull(now: at(0.5)), false)
        #expect(kept.victim(now: at(0.5)) != nil)
        kept.remove(token(4))
        expectEqual(kept.isFull(now: at(0.4)), false)
    }

    /// An honest ClientHello in three parts is older than the grace when the large ones arrive.
    @Test func aSmallHolderIsNoVictimInPlaceOfLargeYoungOnes() {
        var kept = kept()
        kept.keep(token(0), bytes: 1400, now: at(0))
        for number in 1...300 { kept.keep(token(number), bytes: 58_000, now: at(0.4)) }
        expectEqual(kept.isFull(now: at(0.6)), true)
        expectEqual(kept.victim(now: at(0.9)).map { $0.index > 0 }, true)
    }

    /// One large young holder does not stop the intake of the others.
    @Test func manySmallHoldersGiveWayBesideOneLargeYoungOne() {
        var kept = kept()
        for number in 1...17_000 { kept.keep(token(number), bytes: 1000, now: at(0)) }
        kept.keep(token(0), bytes: 58_000, now: at(0.4))
        expectEqual(kept.victim(now: at(0.6)).map { $0.index > 0 }, true)
    }

    @Test func staleTokensHoldNothing() {
        var kept = kept(maximum: 0)
        kept.keep(token(5), bytes: 10, now: at(0))
        kept.remove(token(5, generation: 2))
        kept.remove(token(6))
        expectEqual(kept.bytes, 10)
        // A slot that was given to another client.
        kept.keep(token(5, generation: 2), bytes: 7, now: at(1))
        expectEqual(kept.bytes, 7)
        expectEqual(kept.victim(now: at(2)), token(5, generation: 2))
        kept.remove(token(5, generation: 2))
        #expect(kept.bytes == 0 && kept.victim(now: at(9)) == nil)
    }

    /// Attackers keep the memory full while honest clients send 2 KB in two or three parts, a
    /// quarter of a second apart: none of them ever gives way, and every step is short.
    private func noHonestOneLoses(attackers: Int, _ attack: (inout KeptHellos, Int) -> Void) {
        var kept = kept()
        var honest: [(token: SlotToken, parts: Int, due: Int)] = []
        var lost = 0
        var next = attackers
        var most = 0
        for hundredth in 0..<600 {
            let now = at(Double(hundredth) / 100)
            attack(&kept, hundredth)
            kept.keep(token(next), bytes: 700, now: now)
            honest.append((token(next), next % 2 + 1, hundredth + 25))
            next += 1
            while let first = honest.first, first.due <= hundredth {
                honest.removeFirst()
                if first.parts == 1 {
                    kept.remove(first.token)
                } else {
                    kept.keep(first.token, bytes: 700, now: now)
                    honest.append((first.token, first.parts - 1, hundredth + 25))
                }
            }
            while let victim = kept.victim(now: now) {
                if victim.index >= attackers { lost += 1 }
                let before = kept.steps
                kept.remove(victim)
                most = max(most, kept.steps - before)
            }
        }
        expectEqual(lost, 0)
        #expect(kept.bytes <= ServerLimits.standard.helloBytesInAll)
        // Up and down a heap of all of them.
        #expect(most > 0 && most <= 2 * 15 + 3)
    }

    @Test func seventeenThousandOfOneKilobyteAreNoDanger() {
        noHonestOneLoses(attackers: 17_000) { kept, hundredth in
            // Whoever was ended comes again at once.
            for number in hundredth % 10 * 1700..<(hundredth % 10 + 1) * 1700 {
                kept.remove(token(number))
                kept.keep(token(number), bytes: 1024, now: at(Double(hundredth) / 100 - 0.6))
            }
        }
    }

    @Test func dripsOf58KilobytesAreNoDanger() {
        noHonestOneLoses(attackers: 300) { kept, hundredth in
            for number in 0..<300 {
                let isNew = hundredth % 100 == number % 100
                if isNew { kept.remove(token(number)) }
                kept.keep(
                    token(number), bytes: isNew ? 58_000 : 1, now: at(Double(hundredth) / 100))
            }
        }
    }

    /// Against a plain model, for a long random life: the product of whoever gives way is at least
    /// half of the largest, apart from holders far below the mean.
    @Test(arguments: [1, 2, 3] as [UInt64])
    func agreesWithAPlainModel(_ seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var kept = kept(maximum: 0)
        var model: [Int: (bytes: Int, since: Double)] = [:]
        for step in 0..<20_000 {
            let time = Double(step) / 100
            let number = Int.random(in: 0..<200, using: &random)
            if Int.random(in: 0..<4, using: &random) > 0 {
                let bytes = Int.random(in: 1..<2000, using: &random)
                kept.keep(token(number), bytes: bytes, now: at(time))
                let earlier = model[number]
                model[number] = ((earlier?.bytes ?? 0) + bytes, earlier?.since ?? time)
            } else {
                kept.remove(token(number))
                model[number] = nil
            }
            let mean = model.values.reduce(0) { $0 + $1.bytes } / max(1, model.count)
            let products = model.compactMapValues {
                let isYoung = time - $0.since < 0.4999
                let isSmall = $0.bytes.leadingZeroBitCount > (mean / 2).leadingZeroBitCount
                return isYoung || isSmall ? nil : Double($0.bytes) * (time - $0.since)
            }
            let chosen = kept.victim(now: at(time)).map { products[$0.index] ?? -1 }
            let isRight = (chosen ?? 0) * 2 >= products.values.max() ?? 0
            guard isRight, (chosen == nil) == products.isEmpty,
                kept.bytes == model.values.reduce(0, { $0 + $1.bytes })
            else {
                Issue.record("step \(step): \(chosen ?? -1) of \(products.values.max() ?? 0)")
                return
            }
        }
    }
}
