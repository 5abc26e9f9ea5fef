import TestSupport
import Testing

@testable import Reactor

@Suite struct WaitingTests {
    @Test func tellsWhichIsReady() throws {
        let quiet = try Wakeup()
        let loud = try Wakeup()
        loud.signal()
        let ready = Waiting.wait(
            [.init(quiet.descriptor), .init(-1), .init(loud.descriptor)], until: .distantFuture)
        expectEqual(ready, [false, false, true])
    }

    @Test func endsWithItsTime() throws {
        let quiet = try Wakeup()
        let start = MonotonicInstant.now()
        expectEqual(
            Waiting.wait([.init(quiet.descriptor)], until: start + .milliseconds(5)), [false])
        #expect(MonotonicInstant.now() >= start + .milliseconds(5))
    }

    /// A time that is over still asks once.
    @Test func doesNotWaitForThePast() throws {
        let loud = try Wakeup()
        loud.signal()
        expectEqual(
            Waiting.wait([.init(loud.descriptor)], until: MonotonicInstant(nanoseconds: 0)),
            [
                true
            ])
    }

    @Test func writingIsAnotherThing() throws {
        let quiet = try Wakeup()
        // An eventfd takes more as long as it is not full (eventfd(2)).
        expectEqual(
            Waiting.wait([.init(quiet.descriptor, .writing)], until: .distantFuture), [true])
    }
}
