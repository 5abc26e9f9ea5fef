import Reactor

/// Which worker takes connections from which of the sockets that were handed over.
///
/// Sockets of one address that are as many as the workers (or more) are a group made with
/// SO_REUSEPORT, each with its own queue: each worker gets its own, as in the process that made
/// them. Fewer are shared by all workers, each through a descriptor of its own. Either way the
/// sockets stay the same in number from one upgrade to the next.
struct SocketAssignment: Equatable {
    struct Share: Equatable {
        /// Index into the sockets that were handed over.
        let socket: Int
        /// Workers that take connections from it.
        let sharers: Int
    }

    /// For each worker, what it listens on.
    let shares: [[Share]]

    init(of addresses: [SocketAddress], to workers: Int) {
        var groups: [SocketAddress: [Int]] = [:]
        for (index, address) in addresses.enumerated() {
            groups[address, default: []].append(index)
        }
        var shares: [[Share]] = Array(repeating: [], count: workers)
        var seen: Set<SocketAddress> = []
        for address in addresses where seen.insert(address).inserted {
            let group = groups[address] ?? []
            if group.count >= workers {
                for (place, socket) in group.enumerated() {
                    shares[place % workers].append(Share(socket: socket, sharers: 1))
                }
            } else {
                for worker in 0..<workers {
                    shares[worker] += group.map { Share(socket: $0, sharers: workers) }
                }
            }
        }
        self.shares = shares
    }
}
