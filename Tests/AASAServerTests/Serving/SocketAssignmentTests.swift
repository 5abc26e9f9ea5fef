import Reactor
import Testing

@testable import AASAServer

@Suite struct SocketAssignmentTests {
    private typealias Share = SocketAssignment.Share

    private func address(_ port: UInt16) -> SocketAddress { .v4(0x7F00_0001, port: port) }

    @Test func aSocketOfSystemdIsSharedByAll() {
        let plan = SocketAssignment(of: [address(443)], to: 3)
        #expect(plan.shares == Array(repeating: [Share(socket: 0, sharers: 3)], count: 3))
    }

    @Test func aGroupAsLargeAsTheWorkersIsSpread() {
        let plan = SocketAssignment(
            of: [address(443), address(444), address(443), address(444)], to: 2)
        #expect(
            plan.shares == [
                [Share(socket: 0, sharers: 1), Share(socket: 1, sharers: 1)],
                [Share(socket: 2, sharers: 1), Share(socket: 3, sharers: 1)],
            ])
    }

    /// Whatever number of workers the next process has, each socket has at least one, and the
    /// sockets stay as many as they are.
    @Test(arguments: 1...9, 1...9) func everySocketIsServed(sockets: Int, workers: Int) {
        let plan = SocketAssignment(of: Array(repeating: address(443), count: sockets), to: workers)
        #expect(plan.shares.count == workers)
        var served: [Int: Int] = [:]
        for share in plan.shares.flatMap({ $0 }) { served[share.socket, default: 0] += 1 }
        #expect(served.keys.sorted() == Array(0..<sockets))
        for share in plan.shares.flatMap({ $0 }) { #expect(served[share.socket] == share.sharers) }
        #expect(plan.shares.allSatisfy { !$0.isEmpty })
    }
}
