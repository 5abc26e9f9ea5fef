import Reactor
import TestSupport
import Testing

@testable import AASAServer

@Suite struct SilentPeersTests {
    private func at(_ seconds: Double) -> MonotonicInstant {
        MonotonicInstant(nanoseconds: 1_000_000_000_000 + Int64(seconds * 1e9))
    }

    private func token(_ number: Int, generation: UInt32 = 1) -> SlotToken {
        SlotToken(index: number, generation: generation)
    }

    @Test func silenceBeginsBehindTheGrace() {
        var peers = SilentPeers(grace: .seconds(1))
        peers.add(token(3), now: at(0))
        peers.turnBegan(now: at(1))
        #expect(peers.recentCount == 1 && peers.firstToEvict == nil)
        peers.peerSpoke(token(3), now: at(1))
        peers.turnBegan(now: at(2))
        #expect(peers.recentCount == 1)
        peers.turnBegan(now: at(2.1))
        #expect(peers.silentCount == 1 && peers.firstToEvict == token(3))
        peers.peerSpoke(token(3), now: at(2.2))
        #expect(peers.silentCount == 0 && peers.recentCount == 1 && peers.firstToEvict == nil)
        peers.remove(token(3))
        #expect(peers.count == 0)
    }

    @Test func theLongestSilentGivesWayFirst() {
        var peers = SilentPeers(grace: .seconds(1))
        for number in [3, 1, 2] { peers.add(token(number), now: at(Double(number) / 10)) }
        for number in [7, 5] { peers.add(token(number), now: at(0.4)) }
        peers.peerSpoke(token(3), now: at(0.5))
        for number in 100..<600 { peers.add(token(number), now: at(5)) }
        peers.turnBegan(now: at(5))
        var order: [Int] = []
        while let next = peers.firstToEvict {
            order.append(next.index)
            peers.remove(next)
        }
        #expect(order == [1, 2, 7, 5, 3])
        #expect(peers.recentCount == 500)
    }

    /// Its silence is not its own: our flight has not reached it, or its answer lies unread.
    @Test func whoIsExcusedHasTheGraceOnceMore() {
        var peers = SilentPeers(grace: .seconds(1))
        peers.add(token(1), now: at(0))
        peers.add(token(2), now: at(0))
        peers.turnBegan(now: at(1.5)) { $0 == token(1) }
        #expect(peers.recentCount == 1 && peers.firstToEvict == token(2))
        peers.turnBegan(now: at(2.4))
        #expect(peers.silentCount == 1)
        peers.turnBegan(now: at(2.6))
        #expect(peers.silentCount == 2)
    }

    @Test func staleTokensNameNobody() {
        var peers = SilentPeers(grace: .seconds(1))
        peers.add(token(5), now: at(0))
        peers.remove(token(5, generation: 2))
        peers.peerSpoke(token(6), now: at(0))
        #expect(peers.count == 1)
        // A slot that was given to somebody else.
        peers.add(token(5, generation: 2), now: at(1))
        #expect(peers.count == 1 && peers.contains(token(5, generation: 2)))
        #expect(!peers.contains(token(5)))
    }

    @Test func underPressureALittleSilenceSuffices() {
        var peers = SilentPeers(grace: .seconds(1))
        #expect(peers.leastRecent(silentFor: .zero, now: at(0)) == nil)
        peers.add(token(1), now: at(0))
        peers.add(token(2), now: at(0.1))
        #expect(peers.leastRecent(silentFor: .milliseconds(250), now: at(0.2)) == nil)
        #expect(peers.leastRecent(silentFor: .milliseconds(250), now: at(0.3)) == token(1))
    }

    /// Against a plain model, for a long random life.
    @Test(arguments: [1, 2, 3] as [UInt64])
    func agreesWithAPlainModel(_ seed: UInt64) {
        struct Peer {
            var spokeAt: Double
            var silentSince: Int?
        }
        var random = SeededRandom(seed: seed)
        var peers = SilentPeers(grace: .milliseconds(1005))
        var model: [Int: Peer] = [:]
        var time = 0.0
        var order = 0
        for _ in 0..<20_000 {
            time += 0.01
            let number = Int.random(in: 0..<300, using: &random)
            switch Int.random(in: 0..<4, using: &random) {
            case 0, 1:
                peers.add(token(number), now: at(time))
                model[number] = Peer(spokeAt: time)
            case 2:
                peers.peerSpoke(token(number), now: at(time))
                model[number]?.spokeAt = time
                model[number]?.silentSince = nil
            default:
                peers.remove(token(number))
                model[number] = nil
            }
            peers.turnBegan(now: at(time))
            let due = model.filter {
                $0.value.silentSince == nil && time - $0.value.spokeAt > 1.005
            }
            for number in due.sorted(by: { $0.value.spokeAt < $1.value.spokeAt }).map(\.key) {
                order += 1
                model[number]?.silentSince = order
            }
            let silent = model.filter { $0.value.silentSince != nil }
            guard peers.silentCount == silent.count, peers.count == model.count else {
                Issue.record("\(peers.silentCount) of \(peers.count), not \(silent.count)")
                return
            }
            let oldest = silent.min { ($0.value.silentSince ?? 0) < ($1.value.silentSince ?? 0) }
            guard peers.firstToEvict?.index == oldest?.key else {
                Issue.record("\(String(describing: peers.firstToEvict)) is not the one to go")
                return
            }
        }
    }
}
