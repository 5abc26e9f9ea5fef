import OpenSSL

/// Points a channel to an existing revision.
extension Publisher {
    /// Moves the channel to an earlier revision (or forward again).
    package func rollback(to number: Int64) throws(FleetError) -> Outcome {
        // Of a misspelt channel, no machine would follow.
        if try base().pointerChanged == 0 { throw Self.nothingPublished(to: channel) }
        return try move(to: store.record(number: number).id, .rollback)
    }

    /// Sets the channel to the revision of another channel.
    package func promote(from source: String) throws(FleetError) -> Outcome {
        let next = try pointer(of: source).revision
        let base = try base()
        // It may have held certificates.
        if let damage = base.damage { throw damage }
        if try carriesCertificates(base.pointer?.revision), try !carriesCertificates(next) {
            throw FleetError(
                place: "channel \(channel)",
                cause: "it holds certificates, and revision \(next) of \(source) holds none",
                remedy:
                    "publish to \(source) with --certs DIR; or, if the machines have their own, "
                    + "publish to \(channel) with --without-certs")
        }
        return try move(to: next, .promote)
    }

    private func pointer(of channel: String) throws(FleetError) -> ChannelPointer {
        let state = try store.state(channel: channel)
        if let pointer = state.pointer { return pointer }
        throw state.damage ?? Self.nothingPublished(to: channel)
    }

    private static func nothingPublished(to channel: String) -> FleetError {
        FleetError(
            place: "channel \(channel)", cause: "nothing was published to it",
            remedy: "run aasa fleet publish SITE --channel \(channel)")
    }

    private func move(
        to id: RevisionID, _ action: ChannelPointer.Action
    ) throws(FleetError) -> Outcome {
        try change(from: base(), action) { (state, _) throws(FleetError) in
            if state.pointer?.revision == id { return Attempt(id: id) }
            // Check now, so that a lost file is not discovered on the machines.
            try store.check(id)
            return Attempt(id: id, condition: .exists(store.keys.revision(id.number)))
        }
    }

    // MARK: One change

    /// What a try to change the channel needs.
    struct Attempt {
        let id: RevisionID
        /// Nil: the channel is there already.
        var condition: EtcdComparison?
        var writes: [EtcdOperation] = []
        var stored = 0
    }

    /// Other changes of the fleet that do not affect this channel (prune, another channel) cause a
    /// retry; this many in a row do not happen.
    private static let attemptsMaximum = 16

    /// Moves the channel's pointer and the fleet's head in one transaction.
    ///
    /// - Parameters:
    ///   - base: a channel that has changed since is not overwritten.
    ///   - attempt: called for each try, with the state to change and the nonce of all tries.
    func change(
        from base: FleetStore.State, _ action: ChannelPointer.Action,
        attempt: (FleetStore.State, _ nonce: String) throws(FleetError) -> Attempt
    ) throws(FleetError) -> Outcome {
        let keys = store.keys
        let nonce = hexadecimal(randomBytes(16))
        var state = base
        for _ in 0..<Self.attemptsMaximum {
            let attempt = try attempt(state, nonce)
            guard let condition = attempt.condition else {
                return .unchanged(attempt.id, stored: attempt.stored)
            }
            let pointer = ChannelPointer(
                revision: attempt.id, action: action, author: author, time: now, note: note,
                nonce: nonce)
            let head = FleetHead(last: max(state.head?.last ?? 0, attempt.id.number), nonce: nonce)
            let result = try store.transaction(
                if: [
                    .unchanged(keys.head, since: state.headChanged),
                    .unchanged(keys.channel(channel), since: state.pointerChanged), condition,
                ],
                then: attempt.writes + [
                    .put(keys.channel(channel), pointer.encoded), .put(keys.head, head.encoded),
                ], "changing channel \(channel)")
            let outcome = Outcome.moved(
                attempt.id, from: state.pointer?.revision, stored: attempt.stored)
            if result.succeeded { return outcome }
            state = try store.state(channel: channel)
            // A lost response: it was our own change.
            if state.pointer?.nonce == nonce { return outcome }
            if state.pointerChanged != base.pointerChanged, let winner = state.pointer {
                return .lost(to: winner, base: base.pointer?.revision)
            }
        }
        throw FleetError(
            place: "channel \(channel)", cause: "other processes keep changing the fleet",
            remedy: "try again; another process may be pruning in a loop")
    }
}
