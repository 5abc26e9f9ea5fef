import Foundation
import TestSupport
import Testing

@Suite struct WatchOptionsTests {
    @Test(arguments: [
        (["check", "--state", "/tmp", "example.com"], "needs --watch"),
        (["check", "--watch", "60", "example.com", "--webhook", "nowhere"], "--webhook wants"),
        (["check", "--watch", "60", "example.com", "--hosts-file", "/nonexistent"], "nonexistent"),
        (
            [
                "check", "--watch", "60", "e.com", "--webhook", "http://127.0.0.1:1/",
                "--webhook-template", "pagerduty",
            ], "PAGERDUTY_ROUTING_KEY"
        ),
    ])
    func saysWhatCannotBegin(arguments: [String], words: String) throws {
        let result = try Tool.run(try Tool.aasa(), arguments, timeout: .seconds(30))
        #expect(result.status == 2 || result.status == 3, "\(result)")
        #expect(result.stderr.contains(words), "\(result)")
        #expect(result.stdout.isEmpty)
    }

    /// No URL, and one that no request can be made of: said at the start, not at the first change.
    @Test(arguments: [
        "hooks.test/SECRET", "https://hooks.test/SECRET part", "https://h.test/a\nSECRET",
    ])
    func aWebhookThatIsNoURLIsNotRepeated(url: String) throws {
        let result = try Tool.run(
            try Tool.aasa(), ["check", "--watch", "60", "e.com", "--webhook", url],
            timeout: .seconds(30))
        #expect(result.status == 2, "\(result)")
        #expect(result.stderr.contains("--webhook wants"), "\(result)")
        #expect(!result.stderr.contains("SECRET"), "\(result)")
    }
}
