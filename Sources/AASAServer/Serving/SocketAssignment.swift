import Reactor

/// Which worker accepts connections from which of the sockets that were handed over.
///
/// If there are as many sockets of one address as workers (or more), they are a group made with
/// SO_REUSEPORT, each with its own queue: each worker gets its own, as in the process that made
/// them. If there are fewer, all workers share them, each through a descriptor of its own. In both
/// cases the number of sockets stays the same from one upgrade to the next.
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
