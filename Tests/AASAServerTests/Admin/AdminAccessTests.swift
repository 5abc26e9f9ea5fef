import Testing

@testable import AASAServer

@Suite struct AdminAccessTests {
    private let token = Array("0123456789abcdef".utf8)

    private func verdict(
        _ access: AdminAccess, _ path: String, _ field: String? = nil
    ) -> AdminAccess.Verdict {
        access.verdict(path: path, authorization: field.map { Array($0.utf8) })
    }

    @Test func onTheMachineEverythingIsOpen() {
        for path in ["/", "/metrics", "/status.json", "/healthz", "/x"] {
            #expect(verdict(.local, path) == .allowed)
        }
    }

    @Test(arguments: [true, false]) func theProbesAreForEverybody(isOnNetwork: Bool) {
        for token in [nil, token] {
            let access = AdminAccess(isOnNetwork: isOnNetwork, token: token)
            for path in ["/healthz", "/readyz"] { #expect(verdict(access, path) == .allowed) }
        }
    }

    @Test func onTheNetworkTheRestIsClosedWithoutAToken() {
        let access = AdminAccess(isOnNetwork: true, token: nil)
        for path in ["/", "/metrics", "/status.json", "/healthz/", "/Healthz", ""] {
            #expect(verdict(access, path) == .closed)
            #expect(verdict(access, path, "Bearer ") == .closed)
        }
    }

    @Test(arguments: [true, false]) func theMetricsMayBeOpenedAlone(isOnNetwork: Bool) {
        for token in [nil, token] {
            let access = AdminAccess(isOnNetwork: isOnNetwork, token: token, opensMetrics: true)
            let others = AdminAccess(isOnNetwork: isOnNetwork, token: token)
            #expect(verdict(access, "/metrics") == .allowed)
            for path in ["/", "/status.json", "/metrics/", "/Metrics", "/x", "/readyz"] {
                #expect(verdict(access, path) == verdict(others, path))
            }
        }
    }

    @Test func theTokenOpens() {
        for isOnNetwork in [true, false] {
            let access = AdminAccess(isOnNetwork: isOnNetwork, token: token)
            for field in ["Bearer 0123456789abcdef", "bEARER  0123456789abcdef"] {
                #expect(verdict(access, "/metrics", field) == .allowed)
            }
            for field in [
                nil, "", "Bearer", "Bearer ", "Bearer 0123456789abcdeF", "Bearer 0123456789abcde",
                "Bearer 0123456789abcdef0", "Basic 0123456789abcdef", "0123456789abcdef",
                "Bearer\u{9}0123456789abcdef",
            ] { #expect(verdict(access, "/metrics", field) == .asksForToken) }
        }
    }
}
