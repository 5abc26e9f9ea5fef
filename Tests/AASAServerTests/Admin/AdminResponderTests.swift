import TestSupport
import Testing

// Covers: StatusPage.swift
@testable import AASAServer

@Suite struct AdminResponderTests {
    private func respond(
        _ path: String, _ report: StatusReport = SampleReports.serving()
    ) -> AuxiliaryResponse {
        AdminResponder(report: report, nonce: { "abc123" }).response(
            to: AuxiliaryRequest(
                method: "GET", target: path, path: path, authority: nil, authorization: nil,
                accept: nil))
    }

    @Test func tellsAliveFromReady() {
        var report = SampleReports.serving()
        expectEqual(respond("/healthz").status, 200)
        expectEqual(respond("/readyz").status, 200)
        report.phase = .draining
        expectEqual(respond("/healthz", report).status, 200)
        let unready = respond("/readyz", report)
        expectEqual(unready.status, 503)
        #expect(String(decoding: unready.body, as: UTF8.self).hasPrefix("not ready\ndraining"))
    }

    @Test(arguments: [
        ("/", "text/html; charset=utf-8"), ("/status.json", "application/json"),
        ("/metrics", "text/plain; version=0.0.4; charset=utf-8"),
    ])
    func servesItsPages(_ path: String, _ type: String) {
        let response = respond(path)
        expectEqual(response.status, 200)
        expectEqual(response.value(of: "Content-Type"), type)
        expectEqual(response.value(of: "Cache-Control"), "no-store")
        expectEqual(response.value(of: "X-Content-Type-Options"), "nosniff")
        #expect(!response.body.isEmpty)
    }

    @Test func hasOneSelfContainedPage() {
        let response = respond("/")
        let page = String(decoding: response.body, as: UTF8.self)
        let policy = response.value(of: "Content-Security-Policy") ?? ""
        #expect(policy.contains("default-src 'none'"))
        #expect(policy.contains("'nonce-abc123'"))
        #expect(!policy.contains("unsafe"))
        #expect(page.contains("<script nonce=\"abc123\">"))
        #expect(page.contains("<style nonce=\"abc123\">"))
        // Nothing from elsewhere, no inline handlers or styles that the policy would refuse.
        let outside = page.replacing("http://www.w3.org/2000/svg", with: "")
        for banned in ["http://", "https://", " style=\"", "onclick=", "innerHTML", "eval("] {
            #expect(!outside.contains(banned), "\(banned)")
        }
    }

    @Test func hasNoOtherPaths() {
        expectEqual(respond("/certs/example.com/privkey.pem").status, 404)
        expectEqual(respond("/../etc/passwd").status, 404)
    }
}
