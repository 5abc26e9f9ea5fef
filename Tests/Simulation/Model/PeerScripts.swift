import AASAServer
import Reactor

// What the clients do: each by its kind.
extension World {
    private static let second: Int64 = 1_000_000_000

    /// A connection is there.
    ///
    /// - Returns: whether data has come with it.
    func begin(_ peer: Peer, at time: Int64) -> Bool {
        switch peer.kind {
        case .silent: return false
        case .oneByte: arrive(peer, Wire.hello(of: peer)[..<1], at: time)
        case .halfHello: arrive(peer, Wire.hello(of: peer)[..<256], at: time)
        case .helloDripper:
            arrive(peer, Wire.hello(of: peer)[..<8], at: time)
            peer.steps = 8
            events.add(.script(peer), at: time + Self.second)
        case .noise: arrive(peer, Wire.noise[...], at: time)
        case .postQuantum:
            let hello = Wire.hello(of: peer, Wire.longHelloBytes)
            arrive(peer, hello[..<Wire.firstSegmentBytes], at: time)
            // The second segment comes a little later, or a loss later.
            let isLost = random.next() % 50 == 0
            let gap = isLost ? 200_000_000 + peer.roundTrip : 50_000
            events.add(.script(peer), at: time + gap)
        default:
            peer.helloIsWhole = true
            arrive(peer, Wire.hello(of: peer)[...], at: time)
        }
        switch peer.kind {
        case .leaver, .resetter:
            // Before, while or after the server has worked on it.
            let stays = Int64(ScenarioGrammar.unit(&random) * 0.05 * 1e9)
            events.add(.script(peer), at: time + stays)
        default: break
        }
        if peer.window != nil { events.add(.read(peer), at: time + 100_000_000) }
        return true
    }

    /// The next step of a script with steps.
    func step(_ peer: Peer, at time: Int64) {
        guard !peer.isGone, peer.stage != .done else { return }
        switch peer.kind {
        case .leaver: leave(peer, byReset: false, at: time)
        case .resetter: leave(peer, byReset: true, at: time)
        case .postQuantum:
            peer.helloIsWhole = true
            let hello = Wire.hello(of: peer, Wire.longHelloBytes)
            arrive(peer, hello[Wire.firstSegmentBytes...], at: time)
        case .helloDripper:
            let end = min(Wire.helloBytes, peer.steps + 8)
            if peer.steps < end {
                peer.helloIsWhole = end == Wire.helloBytes
                arrive(peer, Wire.hello(of: peer)[peer.steps..<end], at: time)
                peer.steps = end
                events.add(.script(peer), at: time + Self.second)
            }
        case .headDripper:
            let end = min(Wire.requestText.count - 1, peer.steps + 2)
            if peer.steps < end {
                let part = Array(Wire.requestText[peer.steps..<end])
                arrive(peer, Wire.record(23, part)[...], at: time)
                peer.steps = end
                events.add(.script(peer), at: time + Self.second)
            }
        case .pipeliner, .deafPipeliner:
            // As much as the server's kernel takes, which is what it does not read.
            if peer.inboxBytes < 128 * 1024 {
                arrive(peer, Wire.manyRequests[...], at: time)
            }
            events.add(.script(peer), at: time + 200_000)
        case .pinger:
            if peer.inboxBytes < 128 * 1024 { arrive(peer, Wire.pings[...], at: time) }
            events.add(.script(peer), at: time + 200_000)
        case .streamResetter:
            if peer.inboxBytes < 128 * 1024 {
                arrive(peer, Wire.resetRequest(of: peer)[...], at: time)
            }
            events.add(.script(peer), at: time + 200_000)
        default: ask(peer, at: time)
        }
    }

    /// A part of what the server sent has come.
    func received(_ peer: Peer, _ message: Message, at time: Int64) {
        guard message.isWhole, peer.stage != .done else { return }
        switch message.kind {
        case .flight: flightCame(peer, at: time)
        case .finished12: if peer.stage == .handshaking { begins(peer, at: time) }
        case .document: answered(peer, at: time)
        case .unavailable:
            settle(peer, .unavailable)
            if peer.kind.isHonest { leave(peer, byReset: false, at: time) }
        case .content, .other: break
        }
    }

    private func flightCame(_ peer: Peer, at time: Int64) {
        guard peer.stage == .waiting else { return }
        switch peer.kind {
        case .neverAnswers12, .neverAnswers13, .leaver, .resetter: return
        default: break
        }
        peer.stage = .handshaking
        let half = peer.roundTrip / 2
        // Checking the certificates takes a phone some milliseconds.
        let thinks = 2_000_000 + Int64(ScenarioGrammar.unit(&random) * 8e6)
        send(peer, Wire.finished, at: time + thinks + half)
        if !peer.kind.speaksTLS12 { begins(peer, at: time + thinks) }
    }

    /// The handshake is done for the client: it asks, or does what it came for.
    private func begins(_ peer: Peer, at time: Int64) {
        peer.stage = .asking
        switch peer.kind {
        case .handshaker: break
        case .headDripper, .pipeliner, .deafPipeliner:
            events.add(.script(peer), at: time + peer.roundTrip / 2 + 1000)
        case .pinger, .streamResetter:
            send(peer, Wire.opening(of: peer), at: time + peer.roundTrip / 2)
            events.add(.script(peer), at: time + peer.roundTrip / 2 + 1000)
        default: ask(peer, at: time)
        }
    }

    private func ask(_ peer: Peer, at time: Int64) {
        let arrival = time + peer.roundTrip / 2
        if peer.kind.speaksHTTP2 {
            let isFirst = peer.answers == 0
            return send(
                peer, isFirst ? Wire.opening(of: peer) : Wire.nextRequest(of: peer), at: arrival)
        }
        send(peer, peer.kind == .closing ? Wire.lastRequest : Wire.request, at: arrival)
        if peer.kind == .halfClosing {
            send(peer, Wire.closeNotify, at: arrival)
            events.add(.fin(peer), at: arrival)
        }
    }

    private func answered(_ peer: Peer, at time: Int64) {
        peer.answers += 1
        guard peer.kind.isHonest else { return }
        if peer.answers < peer.kind.answersWanted {
            events.add(.script(peer), at: time + Int64(ScenarioGrammar.unit(&random) * 2e7))
            return
        }
        settle(peer, .answered)
        // Most close at once; some keep the connection until we end it.
        if random.next() % 8 == 0 {
            peer.stage = .asking
        } else {
            send(peer, Wire.closeNotify, at: time + peer.roundTrip / 2)
            leave(peer, byReset: false, at: time)
        }
    }

    private func send(_ peer: Peer, _ bytes: [UInt8], at time: Int64) {
        events.add(.segment(peer, bytes[...]), at: time)
    }
}
