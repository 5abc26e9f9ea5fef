import Testing

@testable import Reactor

@Suite struct StandardStreamTests {
    /// The numbers are POSIX's; what a stream is connected to is tried through the binary.
    @Test func hasTheNumbersOfPOSIX() {
        #expect(StandardStream.input.rawValue == 0)
        #expect(StandardStream.output.rawValue == 1)
        #expect(StandardStream.error.rawValue == 2)
    }
}
