import Foundation
import TestSupport
import Testing

@Suite struct WatchOverviewTests {
    @Test func metricsAndStatusSayTheSame() throws {
        let hosts = try WatchedHosts(["good.test": .good, "cut.test": .cut])
        let watcher = try Watcher(hosts, nil)
        func status() throws -> [String: Any] {
            let answer = try watcher.ask("/status.json")
            let start = try #require(answer.firstRange(of: "\r\n\r\n"))
            return try #require(
                try JSONSerialization.jsonObject(with: Data(answer[start.upperBound...].utf8))
                    as? [String: Any], "\(answer)")
        }
        try watcher.wait { watcher in
            let metrics = (try? watcher.ask("/metrics")) ?? ""
            return metrics.contains("aasa_watch_host_good{host=\"good.test\"} 1")
                && metrics.contains("aasa_watch_host_good{host=\"cut.test\"} 0")
        }
        let metrics = try watcher.ask("/metrics")
        #expect(
            metrics.contains(
                "aasa_watch_problem{host=\"cut.test\",code=\"answer-cut\",severity=\"error\"} 1"))
        let problems = metrics.split(whereSeparator: \.isNewline)
            .filter { $0.hasPrefix("aasa_watch_problem{host=\"good.test\"") }
        #expect(problems.allSatisfy { $0.contains(WatchedHosts.slowness) }, "\(problems)")
        let text = String(
            decoding: try JSONSerialization.data(withJSONObject: try status()), as: UTF8.self)
        #expect(text.contains("answer-cut") && text.contains("good.test"), "\(text)")
        #expect(watcher.end() == 0)
    }

    /// A disk that was away for a while: what was learned then is written, and all is well again.
    @Test func isReadyAgainOnceTheStateIsWritten() throws {
        let hosts = try WatchedHosts(["late.test": .good])
        let watcher = try Watcher(hosts, nil)
        try watcher.wait {
            (try? $0.ask("/metrics").contains("aasa_watch_host_good{host=\"late.test\"} 1")) == true
        }
        let (place, away) = (watcher.folder, watcher.folder + ".away")
        #expect(rename(place, away) == 0)
        hosts.set("late.test", .status("404 Not Found"))
        try watcher.wait {
            (try? $0.ask("/readyz").contains("the state cannot be written")) == true
        }
        #expect(rename(away, place) == 0)
        try watcher.wait { (try? $0.ask("/readyz").hasPrefix("HTTP/1.1 200")) == true }
        try watcher.wait { $0.problems.contains("late.test/status-not-found") }
        let kept = try String(contentsOfFile: place + "/host-late.test.json", encoding: .utf8)
        #expect(kept.contains("status-not-found"))
        #expect(watcher.end() == 0)
    }
}
