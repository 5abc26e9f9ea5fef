import TestSupport
import Testing

@testable import AASAServer

@Suite struct AdminAccessTests {
    private let token = Array("0123456789abcdef".utf8)

    /// The status of the refusal; nil: the request is allowed.
    private func refusal(
        _ access: AdminAccess, _ path: String = "/", _ field: String? = nil,
        method: String = "GET", authority: String? = "127.0.0.1:9443"
    ) -> Int? {
        let request = AuxiliaryRequest(
            method: method, target: path, path: path, authority: authority,
            authorization: field.map { Array($0.utf8) }, accept: nil)
        return access.refusal(of: request)?.status
    }

    @Test func onTheMachineEverythingIsOpen() {
        for path in ["/", "/metrics", "/status.json", "/healthz", "/x"] {
            #expect(refusal(.local, path) == nil)
        }
    }

    @Test(arguments: [true, false]) func theProbesAreForEverybody(isOnNetwork: Bool) {
        for token in [nil, token] {
            let access = AdminAccess(isOnNetwork: isOnNetwork, token: token)
            for path in ["/healthz", "/readyz"] { #expect(refusal(access, path) == nil) }
        }
    }

    @Test func onTheNetworkTheRestIsClosedWithoutAToken() {
        let access = AdminAccess(isOnNetwork: true, token: nil)
        for path in ["/", "/metrics", "/status.json", "/healthz/", "/Healthz", ""] {
            expectEqual(refusal(access, path), 403)
            expectEqual(refusal(access, path, "Bearer "), 403)
        }
    }

    @Test(arguments: [true, false]) func theMetricsMayBeOpenedAlone(isOnNetwork: Bool) {
        for token in [nil, token] {
            let access = AdminAccess(isOnNetwork: isOnNetwork, token: token, opensMetrics: true)
            let others = AdminAccess(isOnNetwork: isOnNetwork, token: token)
            #expect(refusal(access, "/metrics") == nil)
            for path in ["/", "/status.json", "/metrics/", "/Metrics", "/x", "/readyz"] {
                expectEqual(refusal(access, path), refusal(others, path))
            }
        }
    }

    @Test func theTokenOpens() {
        for isOnNetwork in [true, false] {
            let access = AdminAccess(isOnNetwork: isOnNetwork, token: token)
            for field in ["Bearer 0123456789abcdef", "bEARER  0123456789abcdef"] {
                #expect(refusal(access, "/metrics", field) == nil)
            }
            for field in [
                nil, "", "Bearer", "Bearer ", "Bearer 0123456789abcdeF", "Bearer 0123456789abcde",
                "Bearer 0123456789abcdef0", "Basic 0123456789abcdef", "0123456789abcdef",
                "Bearer\u{9}0123456789abcdef",
            ] { expectEqual(refusal(access, "/metrics", field), 401) }
        }
    }

    @Test func onlyReadingIsAllowed() {
        #expect(refusal(.local, method: "HEAD") == nil)
        expectEqual(refusal(.local, method: "POST"), 405)
    }

    @Test(arguments: [
        ("localhost:9443", true), ("127.0.0.1", true), ("[::1]:9443", true),
        ("a.localhost", true), ("10.1.2.3:9443", true), ("rebound.example", false),
        ("localhost.example:9443", false),
    ])
    func namesThatCanBeReboundAreRefused(_ authority: String, _ isOurs: Bool) {
        expectEqual(refusal(.local, "/status.json", authority: authority), (isOurs ? nil : 403))
        // A tricked browser does not have the token.
        let access = AdminAccess(isOnNetwork: false, token: token)
        #expect(refusal(access, "/", "Bearer 0123456789abcdef", authority: authority) == nil)
    }
}
