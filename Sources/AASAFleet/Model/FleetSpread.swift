/// Of one mind or not: what the machines of a channel serve.
package struct FleetSpread: Sendable, Equatable {
    package struct Share: Sendable, Equatable {
        /// Nil: none yet.
        package let revision: RevisionID?
        package var machines: Int
    }

    /// What the channel says; nil: nothing was published.
    package let target: RevisionID?
    /// Those that serve the target first, then by number of machines.
    package private(set) var shares: [Share] = []
    package let machines: Int
    /// Machines that refuse what the channel says.
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

    /// All serve what the channel says, and there are enough of them.
    ///
    /// - Parameter expected: machines that have to be there; at least one has to.
    package func isUnited(expecting expected: Int = 1) -> Bool {
        target != nil && machines >= max(1, expected) && refusing == 0
            && shares.allSatisfy { $0.revision == target }
    }

    /// `97 of 100 serve 41, 3 serve 40`
    package var text: String {
        if machines == 0 { return "no machine follows it" }
        let parts = shares.enumerated().map { index, share in
            let verb = share.machines == 1 ? "serves" : "serve"
            // Two revisions of one number: the store was put back from a backup.
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
            + (refusing > 0 ? "; \(refusing) refused what the channel says" : "")
    }
}
