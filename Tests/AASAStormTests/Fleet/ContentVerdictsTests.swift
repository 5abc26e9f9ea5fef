import AASADevice
import HTTP
import Reactor
import TestSupport
import Testing

@testable import AASAStorm

@Suite struct ContentVerdictsTests {
    private static let document = "{\"webcredentials\":{\"apps\":[\"D3KQX62K1A.com.example.a\"]}}"

    private static func verdicts(
        _ read: @escaping @Sendable () -> Void = {}
    ) -> ContentVerdicts {
        ContentVerdicts(host: "example.com") { bytes, _, _ in
            read()
            return SignedDocument(
                payload: Array(document.utf8), problem: bytes.last == 0 ? "bad" : nil)
        }
    }

    private static func question(
        _ era: Era = .ios13, type: String? = nil, codings: [String] = []
    ) -> ContentVerdicts.Question { .init(era: era, type: type, codings: codings) }

    /// As `aasa device` reads it: status 200 alone makes no association.
    @Test(arguments: [
        (document, DeviceOutcome.associated), ("", .failed(.noDocument)),
        ("<!doctype html><title>Shop</title>", .failed(.noDocument)),
        (String(document.dropLast(4)), .failed(.noDocument)),
        ("{}", .denied(.nothingListed)),
        ("{\"applinks\":{\"details\":[]}}", .denied(.nothingListed)),
        ("\u{30}\u{01}", .associated), ("\u{30}\u{00}", .denied(.badSignature)),
    ])
    func readsTheContent(text: String, outcome: DeviceOutcome) {
        expectEqual(Self.verdicts().outcome(of: Array(text.utf8), Self.question()), outcome)
    }

    @Test func iOS8WantsASignedDocumentOfItsType() {
        let verdicts = Self.verdicts()
        func outcome(_ text: String, _ type: String?) -> DeviceOutcome {
            verdicts.outcome(of: Array(text.utf8), Self.question(.ios8, type: type))
        }
        let signed = "application/pkcs7-mime"
        expectEqual(outcome(Self.document, signed), .denied(.unsigned))
        expectEqual(outcome("\u{30}\u{01}", "application/json"), .denied(.unsigned))
        expectEqual(outcome("\u{30}\u{01}", signed), .associated)
    }

    /// Larger than what a device reads.
    @Test func hasTheLimitOfTheEra() {
        let large = Self.document + String(repeating: " ", count: 131_072)
        expectEqual(
            Self.verdicts().outcome(of: Array(large.utf8), Self.question()),
            .failed(.noDocument))
    }

    @Test func takesTheCodingOff() {
        let verdicts = Self.verdicts()
        // An empty gzip member (RFC 1952).
        let empty: [UInt8] = [31, 139, 8, 0, 0, 0, 0, 0, 0, 3, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0]
        expectEqual(
            verdicts.outcome(of: empty, Self.question(codings: ["gzip"])), .failed(.noDocument))
        expectEqual(
            verdicts.outcome(of: Array(Self.document.utf8), Self.question(codings: ["identity"])),
            .associated)
    }

    /// A million answers with one document are read once.
    @Test func readsEachContentOnce() {
        let reads = Lock(0)
        let verdicts = Self.verdicts { reads.withLock { $0 += 1 } }
        for _ in 0..<100 {
            for last: UInt8 in [1, 2, 0] {
                _ = verdicts.outcome(of: [0x30, last], Self.question())
            }
        }
        expectEqual(reads.withLock { $0 }, 3)
        expectEqual(verdicts.expected, [0x30, 0])
        // One more than is remembered.
        for number: UInt8 in 60..<90 { _ = verdicts.outcome(of: [0x30, number], Self.question()) }
        _ = verdicts.outcome(of: [0x30, 1], Self.question())
        expectEqual(reads.withLock { $0 }, 34)
    }
}
