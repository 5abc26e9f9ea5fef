import Reactor
import Testing

@Suite struct MailboxTests {
    @Test func messagesAreTakenOnceAndInOrder() throws {
        let mailbox = try Mailbox<Int>()
        #expect(mailbox.take().isEmpty)
        mailbox.put(1)
        mailbox.put(2)
        #expect(mailbox.take() == [1, 2])
        #expect(mailbox.take().isEmpty)
    }

    @Test func aMessageWakesItsReceiver() throws {
        let mailbox = try Mailbox<String>()
        let sender = try WorkerThread(name: "sender") { mailbox.put("news") }
        let isReady = Waiting.wait(
            [.init(mailbox.wakeup.descriptor)], until: .now() + .seconds(30))
        #expect(isReady == [true])
        #expect(mailbox.take() == ["news"])
        sender.join()
        let isStillReady = Waiting.wait([.init(mailbox.wakeup.descriptor)], until: .now())
        #expect(isStillReady == [false])
    }
}
