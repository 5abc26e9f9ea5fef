/// Messages from any thread to one that sleeps until there are some.
package final class Mailbox<Message: Sendable>: Sendable {
    private let messages = Lock<[Message]>([])
    /// Signaled by each message: the receiver waits for it beside its other events.
    package let wakeup: Wakeup

    package init() throws(SystemError) { wakeup = try Wakeup() }

    package func put(_ message: Message) {
        messages.withLock { $0.append(message) }
        wakeup.signal()
    }

    /// All messages that have not been taken yet, in the order they were put.
    package func take() -> [Message] {
        wakeup.drain()
        return messages.withLock { messages in
            defer { messages = [] }
            return messages
        }
    }
}
