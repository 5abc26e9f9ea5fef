import Foundation
import TestSupport
import Testing

@Suite struct WatchPageTests {
    /// Who fails stands first, with what to do; what hosts say is text, whatever it is.
    @Test func showsTroubleFirstAndRunsNothing() throws {
        let hosts = try WatchedHosts([
            "a-good.test": .good, "z-gone.test": .status("404 <script>alert(1)</script>"),
        ])
        let watcher = try Watcher(hosts, nil)
        try watcher.wait {
            guard let page = try? $0.ask("/") else { return false }
            return page.contains("status-not-found") && !page.contains("not looked at yet")
        }
        let page = try watcher.ask("/")
        #expect(page.contains("<h1>1 of 2 hosts fail</h1>"), "\(page)")
        #expect(page.contains("<header class=\"failing\">"))
        #expect(!page.contains("<script"))
        let bad = try #require(page.firstRange(of: "<article class=\"bad\"><h3>z-gone.test"))
        let good = try #require(page.firstRange(of: "<article class=\"good\"><h3>a-good.test"))
        #expect(bad.lowerBound < good.lowerBound)
        #expect(page.contains("<td>problem</td>"))
        // The style is let through by its nonce alone.
        let nonce = try #require(page.firstMatch(of: #/<style nonce="([^"]+)">/#)).1
        #expect(page.contains("'nonce-\(nonce)'"))

        hosts.set("z-gone.test", .good)
        try watcher.wait { (try? $0.ask("/").contains("<h1>All 2 hosts are well</h1>")) == true }
        #expect(try watcher.ask("/").contains("<header class=\"well\">"))
        #expect(watcher.end() == 0)
    }
}
