import TestSupport
import Testing

@testable import Reactor

@Suite struct StandardStreamTests {
    /// The numbers are POSIX's; what a stream is connected to is tried through the binary.
    @Test func hasTheNumbersOfPOSIX() {
        expectEqual(StandardStream.input.rawValue, 0)
        expectEqual(StandardStream.output.rawValue, 1)
        expectEqual(StandardStream.error.rawValue, 2)
    }
}
