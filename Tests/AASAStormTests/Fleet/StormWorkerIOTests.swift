import AASADevice
import OpenSSL
import TestSupport
import Testing

@testable import AASAStorm

@Suite struct StormWorkerIOTests: StormSuite {
    private static let document = "{\"webcredentials\":{\"apps\":[\"D3KQX62K1A.com.example.a\"]}}"

    @Test func countsAnswers() throws {
        for (status, outcome) in [
            ("200 OK", DeviceOutcome.associated), ("503 Busy", .willRetry),
            ("404 Not Found", .denied(.refused)),
        ] {
            let report = try storm { _ in .http(status, [], Self.document) }
            expectEqual(report.count(outcome), 6, "\(status)")
            expectEqual(report.statuses, [Int(status.prefix(3)) ?? 0: 6])
            expectEqual(report.handshakes, 6)
        }
    }

    /// More than a buffer's worth, and all of it counted.
    @Test func readsAnAnswerOfManyReads() throws {
        let large = Self.document + String(repeating: " ", count: 120_000)
        let report = try storm(devices: 2) { _ in .http("200 OK", [], large) }
        expectEqual(report.count(.associated), 2)
        #expect(report.bytesReceived > 240_000)
    }

    /// Which end means what to a device.
    @Test(arguments: [
        (
            FaultAnswer.send(Array("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n12".utf8)),
            FailureReason.cut
        ),
        (.send([]), .cut),
        (.sendAndReset(Array("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n12".utf8)), .reset),
        (.send(Array("SSH-2.0-x\r\n\r\n".utf8)), .badAnswer),
    ])
    func tellsHowAnAnswerEnded(answer: FaultAnswer, reason: FailureReason) throws {
        let report = try storm { _ in answer }
        expectEqual(report.count(.failed(reason)), 6)
        expectEqual(report.handshakes, 6)
    }

    @Test func tellsHowAHandshakeEnded() throws {
        func reason(
            _ handshake: FaultHandshake, isSilent: Bool = false
        ) throws -> FailureReason? {
            let report = try storm(
                handshake: handshake, settings: { if isSilent { $0.patience = [1] } },
                answer: { _ in .silence })
            expectEqual(report.handshakes, 0)
            return FailureReason.allCases.first { report.count(.failed($0)) == 6 }
        }
        try expectEqual(reason(.plainHTTP), .tls)
        // A fatal handshake_failure.
        try expectEqual(reason(.bytes([21, 3, 3, 0, 2, 2, 40])), .tls)
        try expectEqual(reason(.close), .cut)
        try expectEqual(reason(.reset), .reset)
        try expectEqual(reason(.silence, isSilent: true), .timedOut)
    }

    /// Status 200 makes no association of a page, of nothing, or of half a document: in one answer
    /// of a length, and in one that ends with the connection.
    @Test(arguments: ["<!doctype html>", "", "{\"webcredentials\":{\"apps\":[\"D3K"])
    func readsTheContent(body: String) throws {
        for answer in [
            FaultAnswer.http("200 OK", [], body),
            .send(Array("HTTP/1.1 200 OK\r\n\r\n\(body)".utf8)),
        ] {
            let report = try storm { _ in answer }
            expectEqual(report.count(.failed(.noDocument)), 6, "\(report.outcomes)")
            expectEqual(report.statuses, [200: 6])
            #expect(!report.everyDeviceWasAnswered)
        }
    }

    /// Whoever names another path does not ask for the document.
    @Test func doesNotReadOtherContent() throws {
        let report = try storm(
            settings: { $0.target.path = "/.well-known/security.txt" },
            answer: { _ in
                .http("200 OK", [], "Contact: mailto:a@example.com", type: "text/plain")
            })
        expectEqual(report.count(.associated), 6)
    }

    @Test func iOS8WantsTheSignedForm() throws {
        let report = try storm("ios8:1") { request in
            #expect(!request.isWellKnown)
            return .http("200 OK", [], Self.document, type: "application/pkcs7-mime")
        }
        expectEqual(report.count(.denied(.unsigned)), 6)
    }

    /// Devices before iOS 13 speak TLS 1.2 at most.
    @Test func oldErasSpeakTheirTLS() throws {
        let versions = try storm(
            "ios9.3:1,ios13:1", devices: 12,
            answer: { .http($0.tlsVersion == .tls13 ? "200 OK" : "503 Busy", [], Self.document) })
        let new = versions.eras[.ios13]?.devices ?? 0
        #expect(new > 0 && new < 12)
        expectEqual(versions.handshakes, 12)
        expectEqual(versions.count(.associated), new)
    }

    /// A server without TLS 1.3 serves new devices as well.
    @Test func newErasSpeakOlderTLS() throws {
        var tls = try Self.tls()
        tls.maximumVersion = .tls12
        let report = try storm(tls: tls, answer: { _ in .http("200 OK", [], Self.document) })
        expectEqual(report.count(.associated), 6)
        expectEqual(report.resumed, 0)
    }

    /// Without an authority nobody looks at the certificate; with one it has to be right.
    @Test func checksTheCertificateWhenTold() throws {
        let folder = try TemporaryFolder("storm")
        let stranger = try LocalAuthority.make(now: 1_800_000_000).pair
        let file = try folder.write("ca.pem", stranger.leaf.pem)
        let report = try storm(
            settings: { $0.target.authorityFile = file }, answer: { _ in .http("200 OK") })
        expectEqual(report.count(.failed(.tls)), 6)
    }
}
