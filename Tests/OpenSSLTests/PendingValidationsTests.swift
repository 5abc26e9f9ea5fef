import Synchronization
import TestSupport
import Testing

@testable import OpenSSL

@Suite struct PendingValidationsTests {
    @Test func `Without somebody who looks there is nothing to wait for`() {
        let questions = PendingValidations()
        #expect(questions.ask() == nil)
        #expect(questions.isAnswered(1))
        #expect(questions.beginLook() == nil)
    }

    @Test func `A look answers those who asked before it, and no others`() throws {
        let questions = PendingValidations()
        let woken = Atomic(0)
        questions.attend { woken.wrappingAdd(1, ordering: .relaxed) }
        let early = try #require(questions.ask())
        expectEqual(questions.ask(), early)
        expectEqual(woken.load(ordering: .relaxed), 1, "one look is enough")
        let look = try #require(questions.beginLook())
        #expect(!questions.isLookWanted)
        let late = try #require(questions.ask())
        expectEqual(woken.load(ordering: .relaxed), 2)
        #expect(late > early)
        questions.endLook(look)
        #expect(questions.isAnswered(early))
        #expect(!questions.isAnswered(late))
        questions.endLook(try #require(questions.beginLook()))
        #expect(questions.isAnswered(late))
        #expect(questions.beginLook() == nil)
    }

    @Test func `Who waits when the last one leaves is let go`() throws {
        let questions = PendingValidations()
        questions.attend {}
        let ticket = try #require(questions.ask())
        questions.leave()
        #expect(questions.isAnswered(ticket))
    }
}
