package import Reactor

/// Orders for the control loop, from the thread of the control socket.
package final class ControlOrders: Sendable {
    package enum Order: Sendable {
        /// Answered when the successor serves, or when it has failed.
        case upgrade(isForced: Bool, ControlReply.Answer)
    }

    private let orders = Lock<[Order]>([])
    let wakeup: Wakeup

    package init() throws(SystemError) { wakeup = try Wakeup() }

    func put(_ order: Order) {
        orders.withLock { $0.append(order) }
        wakeup.signal()
    }

    func take() -> [Order] {
        wakeup.drain()
        return orders.withLock { orders in
            defer { orders = [] }
            return orders
        }
    }
}
