import Foundation
import TestSupport
import Testing

@Suite struct ClientOptionsTests {
    @Test func saysThatNobodyListens() throws {
        let result = try Tool.aasa([
            "check", "example.com", "--resolve", "example.com:443:127.0.0.1:1", "--timeout", "20",
        ])
        expectEqual(result.status, 1)
        #expect(result.stdout.contains("address-refused"))
    }

    @Test(arguments: [
        ["--timeout", "0"], ["--timeout", "601"], ["--timeout", "-1"], ["--cdn", "cdn"],
        ["--cdn", "ftp://cdn.example"],
        ["--resolve", "example.com:443"],
    ]) func refusesWhatIsNoWayToAsk(_ more: [String]) throws {
        let result = try Tool.aasa(["check", "example.com"] + more)
        #expect(result.status == 2 && result.stderr.contains(more[0] + " takes"), "\(result)")
    }
}
