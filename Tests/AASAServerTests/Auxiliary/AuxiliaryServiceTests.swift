import HTTP
import Testing

@testable import AASAServer

@Suite struct AuxiliaryServiceTests {
    @Test func `A service that says nothing else admits every client`() {
        struct Plain: AuxiliaryService {
            mutating func answer(_ request: RequestView) -> AuxiliaryAnswer {
                .message([], isLast: true)
            }
        }
        #expect(Plain().admits(nil))
    }
}
