/// The distribution of revisions over the machines of a channel.
package struct RevisionDistribution: Sendable, Equatable {
    package struct Share: Sendable, Equatable {
        /// Nil if it serves none yet.
        package let revision: RevisionID?
        package var machines: Int
    }

    /// The channel's revision; nil if nothing was published.
    package let target: RevisionID?
    /// Machines on the target first, then by number of machines.
    package private(set) var shares: [Share] = []
    package let machines: Int
    /// Machines that reject the channel's revision.
    package let refusing: Int

    package init(target: RevisionID?, records: [MachineRecord]) {
        self.target = target
        machines = records.count
        refusing = records.count { $0.refused != nil }
        for record in records {
            if let index = shares.firstIndex(where: { $0.revision == record.revision }) {
                shares[index].machines += 1
            } else {
                shares.append(Share(revision: record.revision, machines: 1))
            }
        }
        shares.sort { a, b in
            if (a.revision == target) != (b.revision == target) { return a.revision == target }
            if a.machines != b.machines { return a.machines > b.machines }
            return (a.revision?.number ?? 0) > (b.revision?.number ?? 0)
        }
    }

    /// Whether all machines serve the channel's revision, and there are enough of them.
    ///
    /// - Parameter expected: minimum of machines; at least one.
    package func isUnited(expecting expected: Int = 1) -> Bool {
        target != nil && machines >= max(1, expected) && refusing == 0
            && shares.allSatisfy { $0.revision == target }
    }

    /// `97 of 100 serve 41, 3 serve 40`
    package var text: String {
        if machines == 0 { return "no machine follows it" }
        let parts = shares.enumerated().map { index, share in
            let verb = share.machines == 1 ? "serves" : "serve"
            // Two revisions with one number: the store was restored from a backup.
            let isTwin = shares.contains {
                $0.revision != share.revision && $0.revision?.number == share.revision?.number
            }
            let name = share.revision.map {
                isTwin ? "\($0.number) (\($0.hash.prefix(8)))" : "\($0.number)"
            }
            return (index == 0 ? "\(share.machines) of \(machines)" : "\(share.machines)")
                + " \(verb) \(name ?? "nothing")"
        }
        return parts.joined(separator: ", ")
            + (refusing > 0 ? "; \(refusing) rejected the channel's revision" : "")
    }
}
