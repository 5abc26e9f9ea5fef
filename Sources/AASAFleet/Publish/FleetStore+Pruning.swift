import OpenSSL

/// What a pruning kept and removed.
package struct PruningReport: Sendable, Equatable {
    package var kept: [Int64] = []
    package var removed: [Int64] = []
    package var blobs = 0
}

extension FleetStore {
    /// Below the 128 operations of a transaction, with room for the head.
    private static let deletionsMaximum = 100
    private static let attemptsMaximum = 16

    /// Deletes old revisions, and blobs that no remaining one uses.
    ///
    /// It is safe against concurrent publishers: every deletion requires that the fleet's head has
    /// not changed since the used blobs were counted, and changes the head itself. So a publisher
    /// that relied on a blob checks again before it moves a pointer.
    ///
    /// - Parameters:
    ///   - keep: how many of the newest to keep, besides all that a channel serves.
    ///   - isDryRun: nothing is deleted.
    package func prune(keep: Int, isDryRun: Bool) throws(FleetError) -> PruningReport {
        for _ in 0..<Self.attemptsMaximum {
            if let report = try pruneOnce(keep: keep, isDryRun: isDryRun) { return report }
        }
        throw FleetError(
            place: "pruning", cause: "other processes keep changing the fleet",
            remedy: "try again when no other process is publishing")
    }

    /// Nil if the fleet was changed meanwhile; nothing in use was deleted.
    private func pruneOnce(keep: Int, isDryRun: Bool) throws(FleetError) -> PruningReport? {
        guard let head = try entry(keys.head, "pruning") else { return PruningReport() }
        let revisions = try revisions()
        var served: Set<Int64> = []
        for (_, pointer) in try channels() {
            served.insert(try pointer.get().revision.number)
        }
        let newest = Set(revisions.suffix(keep).map(\.id))
        var report = PruningReport()
        var used: Set<String> = []
        var doomed: [String] = []
        for (id, record) in revisions {
            if newest.contains(id) || served.contains(id.number) {
                report.kept.append(id.number)
                // If a kept revision is unreadable, its blobs are unknown: delete nothing.
                let record = try record.get()
                used.formUnion(record.parts + (try list(of: record)).files.map(\.hash))
            } else {
                report.removed.append(id.number)
                doomed.append(keys.revision(id.number))
            }
        }
        let unused = try entries(below: keys.blobs, keysOnly: true).map(\.key)
            .filter { !used.contains(String($0.dropFirst(keys.blobs.count))) }
        report.blobs = unused.count
        doomed += unused
        if isDryRun || doomed.isEmpty { return report }
        let isDone = try delete(doomed, head)
        return isDone ? report : nil
    }

    private func delete(_ doomed: [String], _ head: EtcdEntry) throws(FleetError) -> Bool {
        let last = try FleetHead(decoding: head.value, place: keys.head).last
        var changed = head.changed
        var rest = doomed[...]
        while !rest.isEmpty {
            let nonce = hexadecimal(randomBytes(16))
            let outcome = try transaction(
                if: [.unchanged(keys.head, since: changed)],
                then: rest.prefix(Self.deletionsMaximum).map { .delete($0) }
                    + [.put(keys.head, FleetHead(last: last, nonce: nonce).encoded)], "pruning")
            guard outcome.succeeded else { return false }
            changed = outcome.store.revision
            rest = rest.dropFirst(Self.deletionsMaximum)
        }
        return true
    }
}
