import AASAClient
import TestSupport
import Testing

@testable import AASAFleet

@Suite struct EtcdTokenTests {
    private let silence = EtcdFailure.unanswered(.timeout(.head))

    @Test func aPausedMemberDoesNotCostTheToken() {
        var token = EtcdToken("t.41")
        for _ in 1...4 {
            token.failed(silence, members: 3)
            token.answered()
        }
        expectEqual(token.text, "t.41")
    }

    /// A token from before a backup was put back: every member holds the request.
    @Test(arguments: [1, 3, 7]) func silenceOfTheClusterEndsTheToken(members: Int) {
        var token = EtcdToken("t.41")
        for _ in 0..<min(members, 2) {
            #expect(token.text != nil)
            token.failed(silence, members: members)
        }
        #expect(token.text == nil)
        token.received("t.7")
        if members > 1 { token.failed(silence, members: members) }
        #expect(members == 1 || token.text == "t.7")
    }

    @Test func aMemberThatIsAwaySaysNothingOfTheToken() {
        var token = EtcdToken("t.41")
        for _ in 1...9 {
            token.failed(.unanswered(.timeout(.connecting)), members: 3)
            token.failed(.unanswered(.closed(.head, missing: nil)), members: 3)
            token.failed(.unavailable("no leader"), members: 3)
        }
        expectEqual(token.text, "t.41")
    }
}
