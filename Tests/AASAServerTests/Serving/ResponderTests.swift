import TestSupport
import Testing

@testable import AASAServer
@testable import HTTP

@Suite struct ResponderTests {
    private func answer(
        _ path: String, host: String? = "example.com", method: RequestMethod = .get,
        snapshot: Snapshot = TestEndpoint.snapshot(), serverName: String? = nil,
        shed: Counter? = nil, fault: RejectReason? = nil
    ) -> Answer {
        Array(path.utf8).withUnsafeBytes { path in
            Array((host ?? "").utf8).withUnsafeBytes { authority in
                let request = RequestView(
                    method: method, version: .http11, methodName: path, target: path, path: path,
                    authority: host == nil ? nil : authority, userAgent: nil, hasBody: false,
                    wantsClose: false, fault: fault)
                return Responder.answer(
                    request, snapshot: snapshot, serverName: serverName
                ) { _ in shed }
            }
        }
    }

    private let paths = [TestEndpoint.path, "/apple-app-site-association"]

    @Test func associationPathsAre200Or503WhateverHappens() {
        for path in paths {
            for method in [RequestMethod.get, .head, .other] {
                for host in ["example.com", "EXAMPLE.com:443", "unknown.example", "", nil] {
                    expectEqual(answer(path, host: host, method: method).response.status, 200)
                }
                expectEqual(
                    answer(path, host: "other.example", method: method).response.status, 503)
                for cause in [Counter.shedEgress, .shedMemory, .shedAge, .shedDraining] {
                    let shed = answer(path, method: method, shed: cause)
                    expectEqual(shed.response.status, 503)
                    expectEqual(shed.counter, cause)
                    expectEqual(shed.hostAnswer, .unavailable)
                }
            }
        }
    }

    @Test func anUnknownHostWithoutADefaultIs503ThereAnd404Elsewhere() {
        let snapshot = TestEndpoint.snapshot(defaultHost: nil)
        expectEqual(
            answer(paths[0], host: "unknown.example", snapshot: snapshot).response.status, 503)
        expectEqual(answer(paths[0], host: nil, snapshot: snapshot).response.status, 503)
        expectEqual(answer("/x", host: "unknown.example", snapshot: snapshot).response.status, 404)
    }

    @Test(arguments: [nil, ""] as [String?])
    func `A request that names no host means the one of its handshake`(_ host: String?) {
        for path in paths + ["/%61pple-app-site-association"] {
            func name(_ serverName: String?, defaultHost: Int? = 0) -> String? {
                answer(
                    path, host: host, snapshot: TestEndpoint.snapshot(defaultHost: defaultHost),
                    serverName: serverName
                ).host?.name
            }
            expectEqual(name("other.example"), "other.example")
            expectEqual(name("Other.Example.", defaultHost: nil), "other.example")
            expectEqual(name("unknown.example"), "example.com")
            #expect(name("unknown.example", defaultHost: nil) == nil)
            expectEqual(name(nil), "example.com")
        }
    }

    @Test func `A host that the request names decides, known or not`() {
        for host in ["example.com", "unknown.example", ":443"] {
            let answer = answer(paths[0], host: host, serverName: "other.example")
            expectEqual(answer.host?.name, "example.com")
        }
    }

    @Test(arguments: [
        "/", "", "*", "/apple-app-site-association/", "//apple-app-site-association",
        "/Apple-App-Site-Association", "/.well-known/apple-app-site-association.json",
        "/.well-known/", "/../", "/%2e%2e/x", "/.well-known%2Fapple-app-site-association",
        "/%41pple-app-site-association", "/%2561pple-app-site-association",
        "/.well-known/apple-app-site-association/.", "/.well-known//apple-app-site-association",
        "/x/apple-app-site-association", "/...//apple-app-site-association",
        "/%61pple-app-site-association%00", "/%6pple-app-site-association",
        "/apple-app-site-association#",
        "/apple-app-site-association;x", "apple-app-site-association",
    ]) func everythingElseIs404(_ path: String) {
        expectEqual(answer(path).response.status, 404)
        expectEqual(answer(path).counter, .answersNotFound)
    }

    /// RFC 3986 section 6.2.2: other spellings of the same path.
    @Test(arguments: [
        "/%61pple-app-site-association", "/apple%2Dapp%2dsite-association",
        "/%2Ewell-known/apple-app-site-association",
        "/%2ewell%2Dknown/%61pple-app-site-association",
        "/.well-known/../apple-app-site-association", "/./apple-app-site-association",
        "/x/%2e%2E/.well-known/./apple-app-site-association", "/../apple-app-site-association",
        "/a/b/../../apple-app-site-association",
    ]) func anotherSpellingIsTheSamePath(_ path: String) {
        expectEqual(answer(path).response.status, 200)
        expectEqual(answer(path).counter, .answersDocument)
        expectEqual(answer(path, shed: .shedMemory).response.status, 503)
    }

    @Test func siblingsHaveOtherSpellingsToo() {
        expectEqual(answer("/.well-known/%61ssetlinks.json").counter, .answersSibling)
    }

    /// A device takes 400 as final, and what is between it and us may have damaged its request.
    @Test(arguments: RejectReason.allCases)
    func aMessageThatCannotBeReadIsAnError(_ fault: RejectReason) {
        for path in paths + ["/%61pple-app-site-association"] {
            let status = fault.isAnswered ? 200 : 503
            expectEqual(answer(path, fault: fault).response.status, status)
        }
        for path in ["/x", ""] {
            let answer = answer(path, fault: fault)
            let isError = !fault.isAnswered
            let status = fault == .requestLineTooLong ? 414 : isError ? 400 : 404
            expectEqual(answer.response.status, status)
            expectEqual(answer.counter, (isError ? .answersBadRequest : .answersNotFound))
            #expect(!isError || (answer.host == nil && answer.hostAnswer == .notFound))
        }
    }

    @Test func siblingsBelongToTheirHost() {
        expectEqual(answer("/.well-known/assetlinks.json").counter, .answersSibling)
        expectEqual(
            answer("/.well-known/assetlinks.json", host: "other.example").response.status, 404)
    }
}
