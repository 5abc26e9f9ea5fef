// Covers: WatchStop.swift

import Foundation
import TestSupport
import Testing

/// `aasa check --watch` against servers that misbehave, and that get well.
@Suite struct WatchRunTests {
    @Test func tellsWhatChangesAndNothingTwice() throws {
        let hosts = try WatchedHosts([
            "good.test": .good, "gone.test": .status("404 Not Found"), "silent.test": .silent,
            "endless.test": .endless, "cut.test": .cut, "drip.test": .drip,
        ])
        let hook = try WebhookReceiver()
        let watcher = try Watcher(hosts, hook)
        // Each fault once, whatever the others do meanwhile.
        let expected: Set<String> = [
            "gone.test/status-not-found", "silent.test/answer-timeout",
            "endless.test/answer-too-large", "cut.test/answer-cut", "drip.test/answer-timeout",
        ]
        try watcher.wait { expected.isSubset(of: $0.problems) }
        #expect(!watcher.lines.contains { $0.contains("\"host\":\"good.test\"") })
        #expect(watcher.descriptors < 80)

        hosts.set("good.test", .fewerApps)
        hosts.set("gone.test", .good)
        try watcher.wait {
            $0.problems.contains("good.test/app-lost/webcredentials D3KQX62K1A.com.example.b")
                && $0.resolved.contains("gone.test/status-not-found")
        }
        let page = try watcher.ask("/")
        #expect(page.contains("answer-too-large") && page.contains("silent.test"))
        let metrics = try watcher.ask("/metrics")
        #expect(
            metrics.contains(
                "aasa_watch_problem{host=\"cut.test\",code=\"answer-cut\",severity=\"error\"} 1"))
        #expect(metrics.contains("aasa_watch_host_good{host=\"gone.test\"} 1"))
        #expect(try watcher.ask("/status.json").contains("\"good\": false"))
        #expect(try watcher.ask("/readyz").hasPrefix("HTTP/1.1 200"))
        #expect(metrics.contains("\naasa_watch_ready 1\n"))

        // A second one on the same state would tell everything again, and write over the first.
        let other = try watcher.beside(hosts)
        #expect(other.status == 3, "\(other)")
        #expect(other.stderr.contains("another watcher keeps its state here"), "\(other)")
        #expect(other.stderr.contains("--state") && other.stdout.isEmpty)

        // After a restart nothing is told again; then everything gets well.
        try watcher.wait { hook.taken.count >= $0.ids.count }
        let told = watcher.lines.count
        #expect(watcher.end() == 0)
        #expect(Set(watcher.ids).count == told, "told twice: \(watcher.ids)")
        let second = try Watcher(hosts, hook, after: watcher)
        for host in hosts.names { hosts.set(host, .good) }
        try second.wait { $0.resolved.count >= 5 }
        #expect(second.problems == [], "\(second.lines)")
        try second.wait { Set(hook.taken).count >= watcher.ids.count + $0.ids.count }
        #expect(second.end() == 0)

        // The webhook said 503 at first, and has got every change in its order. The last one before
        // the end comes again if that was in the middle of its answer.
        var taken = hook.taken
        if taken.count > told, taken[told] == taken[told - 1] { taken.remove(at: told) }
        #expect(taken == watcher.ids + second.ids)
        #expect(hook.refusals >= 1)
    }
}
