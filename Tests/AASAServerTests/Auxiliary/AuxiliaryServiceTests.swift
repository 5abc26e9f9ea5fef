import HTTP
import Testing

@testable import AASAServer

@Suite struct AuxiliaryServiceTests {
    /// A service that says nothing else admits every client and cuts requests that wait for long.
    @Test func defaultsAreThoseOfAPublicListener() {
        struct Plain: AuxiliaryService {
            mutating func answer(
                _ request: RequestView, question: inout (any Sendable)?
            ) -> AuxiliaryAnswer? { nil }
        }
        #expect(Plain().limitsWaiting)
        #expect(Plain().admits(nil))
        #expect(
            AuxiliaryAnswer(message: [1], isLast: true)
                != AuxiliaryAnswer(message: [1], isLast: false))
    }
}
