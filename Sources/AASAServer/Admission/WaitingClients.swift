import Reactor

/// Clients whose ClientHello has arrived and whose handshake has not begun, in two queues.
///
/// A client that leaves is removed at once, so a crowd that comes and goes leaves no entries behind
/// and `count` is the number of clients. A value; every step takes constant time.
struct WaitingClients: Sendable {
    enum Line: Sendable, CaseIterable {
        /// Younger than the age cap.
        case young
        /// Older than the age cap.
        case old
    }

    struct Client: Sendable {
        var token: SlotToken
        var helloAt: MonotonicInstant
        fileprivate var line: Line?
    }

    private var clients: [Client] = []
    private var lists = SlotLists()
    private var young = SlotLists.Ends()
    private var old = SlotLists.Ends()
    /// Clients in both queues.
    private(set) var count = 0

    mutating func append(_ token: SlotToken, helloAt: MonotonicInstant, to line: Line) {
        let client = Client(token: token, helloAt: helloAt, line: nil)
        while clients.count <= token.index { clients.append(client) }
        lists.makeRoom(for: clients.count)
        unlink(token.index)
        clients[token.index] = client
        link(token.index, line)
    }

    /// No effect if the client does not wait.
    mutating func remove(_ token: SlotToken) {
        guard token.index < clients.count, clients[token.index].token == token else { return }
        unlink(token.index)
    }

    mutating func move(_ token: SlotToken, to line: Line) {
        guard token.index < clients.count, clients[token.index].token == token,
            clients[token.index].line != nil
        else { return }
        unlink(token.index)
        link(token.index, line)
    }

    func first(_ line: Line) -> Client? {
        let slot = ends(line).first
        return slot < 0 ? nil : clients[Int(slot)]
    }

    func last(_ line: Line) -> Client? {
        let slot = ends(line).last
        return slot < 0 ? nil : clients[Int(slot)]
    }

    private func ends(_ line: Line) -> SlotLists.Ends {
        switch line {
        case .young: young
        case .old: old
        }
    }

    private mutating func link(_ index: Int, _ line: Line) {
        let slot = Int32(truncatingIfNeeded: index)
        clients[index].line = line
        count += 1
        switch line {
        case .young: lists.append(slot, to: &young)
        case .old: lists.append(slot, to: &old)
        }
    }

    private mutating func unlink(_ index: Int) {
        let slot = Int32(truncatingIfNeeded: index)
        switch clients[index].line {
        case nil: return
        case .young: lists.remove(slot, from: &young)
        case .old: lists.remove(slot, from: &old)
        }
        clients[index].line = nil
        count -= 1
    }
}
