/// Points a channel to an existing revision: rollback and promote.
package struct ChannelMove {
    package let store: FleetStore
    package let author: String
    package let note: String
    /// Seconds since 1970.
    package let now: Int64

    package init(store: FleetStore, author: String, note: String, now: Int64) {
        self.store = store
        self.author = author
        self.note = note
        self.now = now
    }

    package enum Outcome: Sendable, Equatable {
        case moved(RevisionID, from: RevisionID?)
        /// The channel has it already.
        case unchanged(RevisionID)
        /// Another process moved the channel meanwhile.
        case lost(to: ChannelPointer)
    }

    /// Moves the channel to an earlier revision (or forward again).
    package func rollback(_ channel: String, to number: Int64) throws(FleetError) -> Outcome {
        let found = try store.record(number: number)
        return try move(channel, to: found.id, .rollback)
    }

    /// Sets a channel to the revision of another channel.
    package func promote(
        from source: String, to channel: String
    ) throws(FleetError) -> Outcome {
        guard let pointer = try store.state(channel: source).pointer else {
            throw FleetError(
                place: "channel \(source)", cause: "nothing was published to it",
                remedy: "run aasa fleet publish SITE --channel \(source)")
        }
        return try move(channel, to: pointer.revision, .promote)
    }

    private func move(
        _ channel: String, to id: RevisionID, _ action: ChannelPointer.Action
    ) throws(FleetError) -> Outcome {
        let keys = store.keys
        let nonce = try Publisher.nonce()
        let first = try store.state(channel: channel)
        var state = first
        for _ in 0..<16 {
            if let now = state.pointer?.revision, now == id { return .unchanged(id) }
            // Check now, so that a lost file is not discovered on the machines.
            if let problem = try StoreCheck(store: store, keyRing: nil).problems(of: id).first {
                throw .damaged("revision \(id.number)", problem)
            }
            let pointer = ChannelPointer(
                revision: id, action: action, author: author, time: now, note: note, nonce: nonce)
            let head = FleetHead(last: max(state.head?.last ?? 0, id.number), nonce: nonce)
            let outcome = try store.transaction(
                if: [
                    .unchanged(keys.head, since: state.headChanged),
                    .unchanged(keys.channel(channel), since: state.pointerChanged),
                    .exists(keys.revision(id.number)),
                ],
                then: [
                    .put(keys.channel(channel), pointer.encoded), .put(keys.head, head.encoded),
                ], "moving channel \(channel)")
            if outcome.succeeded { return .moved(id, from: first.pointer?.revision) }
            state = try store.state(channel: channel)
            if state.pointer?.nonce == nonce { return .moved(id, from: first.pointer?.revision) }
            if state.pointerChanged != first.pointerChanged, let winner = state.pointer {
                return .lost(to: winner)
            }
        }
        throw FleetError(
            place: "channel \(channel)", cause: "other processes keep changing the fleet",
            remedy: "try again; another process may be pruning in a loop")
    }
}
