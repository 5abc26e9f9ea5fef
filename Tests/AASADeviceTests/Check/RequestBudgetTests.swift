import AASAClient
import TestSupport
import Testing

@testable import AASADevice

@Suite struct RequestBudgetTests {
    /// What a check of 30 s learns of a request that may take 15 s, 10 s of them to connect.
    private static func outcome(
        left: Duration, whole: Duration = .seconds(30), _ failure: ClientFailure?
    ) -> ClientExchange? {
        var request = ClientRequest(host: "example.com", target: "/")
        request.limits.total = .seconds(15)
        request.limits.connect = .seconds(10)
        return RequestBudget(left: left, whole: whole).ask(request) { sent in
            var exchange = ClientExchange(request: sent)
            exchange.failure = failure
            return exchange
        }
    }

    @Test func cutsARequestToWhatIsLeft() throws {
        let whole = try #require(Self.outcome(left: .seconds(20), nil)).request.limits
        #expect(whole.total == .seconds(15) && whole.connect == .seconds(10))
        let cut = try #require(Self.outcome(left: .seconds(4), nil)).request.limits
        #expect(cut.total == .seconds(4) && cut.connect == .seconds(4))
        #expect(Self.outcome(left: .milliseconds(100), nil) == nil)
    }

    /// The deadline of the check is no fault of the host.
    @Test(arguments: [
        ClientFailure.timeout(.connecting), .timeout(.handshake), .timeout(.head), .timeout(.body),
    ])
    func takesATimeoutOfTheDeadlineForNoAnswer(failure: ClientFailure) {
        #expect(Self.outcome(left: .seconds(4), failure) == nil)
        expectEqual(Self.outcome(left: .seconds(15), failure)?.failure, failure)
    }

    /// What the host did itself stays, however short the time was.
    @Test(arguments: [ClientFailure.refused, .reset(.head), .closed(.body, missing: 3)])
    func keepsOtherFailures(failure: ClientFailure) {
        expectEqual(Self.outcome(left: .seconds(4), failure)?.failure, failure)
    }

    /// A connection has a limit of its own, which the deadline need not have cut.
    @Test func tellsTheLimitThatEnded() {
        #expect(Self.outcome(left: .seconds(12), .timeout(.connecting)) != nil)
        #expect(Self.outcome(left: .seconds(12), .timeout(.head)) == nil)
    }

    /// A deadline below the patience of a request: the first request had all of it, and a host that
    /// did not answer within is told.
    @Test func tellsOfAHostThatTookTheWholeDeadline() {
        let failure = ClientFailure.timeout(.head)
        #expect(Self.outcome(left: .milliseconds(9_900), whole: .seconds(10), failure) != nil)
        #expect(Self.outcome(left: .milliseconds(6_400), whole: .seconds(10), failure) == nil)
    }
}
