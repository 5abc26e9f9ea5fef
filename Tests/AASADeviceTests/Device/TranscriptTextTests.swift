import AASAClient
import AASADevice
import AppSiteAssociation
import TestSupport
import Testing

@Suite struct TranscriptTextTests: DeviceSuite {
    /// What this OpenSSL lacks of the era's hello is the last line.
    private static func notSimulated(_ era: Era) -> String {
        let missing = era.rules.offer.unavailable
        return missing.isEmpty
            ? ""
            : "\n  not simulated, because OpenSSL here does not have it: "
                + missing.joined(separator: ", ")
    }

    @Test func tellsTheStory() {
        // The answers carry the request they were made with, of the root path.
        let busy = Self.answer(503)
        let (transcripts, _) = Self.play(
            .ios93, ["applinks:example.com"], [busy, busy, Self.answer(200, Self.document)])
        expectEqual(
            transcripts.first?.text,
            """
            applinks:example.com  iOS 9.3 to 12  ABCDE12345.com.example.app
              +0 s        GET https://example.com/
                            HTTP/1.1 503, no Content-Type, 0 bytes
                            the server failed with status 503
                            the same once more, until +3 h
              +6 h        GET https://example.com/
                            HTTP/1.1 200, no Content-Type, \(Self.document.utf8.count) bytes
                            the app is listed
              +6 h        decided; asks again when the app is updated
              verdict: associated
              not known   whether a refusal at an update ends an association: this run \
            assumes that it does
            """ + Self.notSimulated(.ios93))
    }
}
