import Reactor
import TestSupport
import Testing

@Suite struct MailboxTests {
    @Test func messagesAreTakenOnceAndInOrder() throws {
        let mailbox = try Mailbox<Int>()
        #expect(mailbox.take().isEmpty)
        mailbox.put(1)
        mailbox.put(2)
        expectEqual(mailbox.take(), [1, 2])
        #expect(mailbox.take().isEmpty)
    }

    @Test func aMessageWakesItsReceiver() throws {
        let mailbox = try Mailbox<String>()
        let sender = try WorkerThread(name: "sender") { mailbox.put("news") }
        let isReady = Waiting.wait(
            [.init(mailbox.wakeup.descriptor)], until: .now() + .seconds(30))
        expectEqual(isReady, [true])
        expectEqual(mailbox.take(), ["news"])
        sender.join()
        let isStillReady = Waiting.wait([.init(mailbox.wakeup.descriptor)], until: .now())
        expectEqual(isStillReady, [false])
    }
}
