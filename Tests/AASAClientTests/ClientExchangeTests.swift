import HTTP
import OpenSSL
import TestSupport
import Testing

@testable import AASAClient

@Suite struct ClientExchangeTests {
    private static let text = Array("hello, hello, hello".utf8)
    /// `text`, by gzip -9.
    private static let gzip: [UInt8] = [
        31, 139, 8, 0, 0, 0, 0, 0, 2, 3, 203, 72, 205, 201, 201, 215, 81, 200, 64, 162, 0, 159,
        161, 202, 9, 19, 0, 0, 0,
    ]

    private func exchange(
        _ status: Int, _ fields: [(String, String)], _ body: [UInt8]
    ) -> ClientExchange {
        var exchange = ClientExchange(request: ClientRequest(host: "example.com", target: "/"))
        exchange.head = ResponseHead(
            lines: [], status: status, reason: "",
            fields: fields.map { HTTPField(name: $0.0, value: $0.1) })
        exchange.body = body
        return exchange
    }

    @Test func takesTheCodingOff() {
        var one = exchange(200, [("content-encoding", "gzip")], Self.gzip)
        one.decodeBody(maximum: Self.text.count)
        expectEqual(one.body, Self.text)
        expectEqual(one.coding, .decoded(["gzip"], sentBytes: Self.gzip.count))
    }

    @Test func keepsWhatCannotBeDecoded() {
        for (coding, body, maximum) in [
            ("br", Self.text, 1000), ("gzip", Self.text, 1000),
            ("gzip", Self.gzip, Self.text.count - 1),
        ] {
            var one = exchange(200, [("Content-Encoding", coding)], body)
            one.decodeBody(maximum: maximum)
            expectEqual(one.body, body)
            guard case .failed([coding], _) = one.coding else {
                Issue.record("\(coding): \(one.coding)")
                continue
            }
        }
    }

    /// S3 keeps what an upload said of itself.
    @Test(arguments: ["aws-chunked,gzip", "gzip, UTF-8", "aws-chunked, identity, gzip"])
    func passesOverWhatIsNoCoding(value: String) {
        var one = exchange(200, [("Content-Encoding", value)], Self.gzip)
        one.decodeBody(maximum: 1000)
        expectEqual(one.body, Self.text)
        expectEqual(one.coding, .decoded(["gzip"], sentBytes: Self.gzip.count))
    }

    /// A part of a compressed body is no compressed body, and nothing is none either.
    @Test func leavesWhatIsNotCoded() {
        for (status, fields, body) in [
            (206, [("Content-Encoding", "gzip")], Self.gzip),
            (200, [("Content-Encoding", "gzip")], []),
            (200, [("Content-Encoding", "identity")], Self.text),
            (200, [("Content-Encoding", "utf-8")], Self.text),
            (200, [("Content-Encoding", "aws-chunked")], Self.text),
            (200, [], Self.gzip),
        ] as [(Int, [(String, String)], [UInt8])] {
            var one = exchange(status, fields, body)
            one.decodeBody(maximum: 1000)
            expectEqual(one.body, body)
            expectEqual(one.coding, .none)
        }
    }

    @Test func hasAStatusOnlyWhenAWholeAnswerCame() {
        var one = exchange(200, [], [])
        expectEqual(one.status, 200)
        one.failure = .closed(.body, missing: 1)
        #expect(one.status == nil)
        one.failure = nil
        one.head = nil
        #expect(one.status == nil)
    }

    @Test func findsFieldsInAnyCase() {
        let head = exchange(
            200, [("Set-Cookie", "a"), ("set-cookie", "b"), ("Age", "1")], []
        ).head
        expectEqual(head?.values("SET-COOKIE"), ["a", "b"])
        expectEqual(head?.value("set-Cookie"), "a")
        expectEqual(head?.values("Set"), [])
        #expect(head?.value("Cookie") == nil)
    }

    /// People tell failures apart by their words.
    @Test func saysWhatHappened() {
        let phases: [ClientFailure.Phase] = [
            .connecting, .handshake, .request, .head, .partialHead, .body,
        ]
        var failures: [ClientFailure] = [
            .unresolved("R"), .refused, .noRoute("R"), .unreachable("R"),
            .closed(.body, missing: 7),
            .certificate("R"), .notHTTP("R"), .badFraming("R"), .tooLarge(7),
            .http2("R"), .local("R"), .stopped,
        ]
        for phase in phases {
            let told: [ClientFailure] = [
                .timeout(phase), .reset(phase), .closed(phase, missing: nil),
            ]
            for failure in told { #expect(failure.description.hasSuffix(phase.rawValue)) }
            failures += told
        }
        let texts = failures.map(\.description)
        expectEqual(Set(texts).count, failures.count)
        for (failure, text) in zip(failures, texts) {
            switch failure {
            case .unresolved, .noRoute, .unreachable, .certificate, .notHTTP, .badFraming, .http2,
                .local:
                #expect(text.contains("R"))
            case .closed(_, _?), .tooLarge: #expect(text.contains("7"))
            default: #expect(!text.isEmpty)
            }
        }
    }
}
