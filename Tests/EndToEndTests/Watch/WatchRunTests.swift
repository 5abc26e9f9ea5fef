import TestSupport
import Testing

/// `aasa check --watch` against servers that misbehave, and that get well.
@Suite struct WatchRunTests {
    @Test func printsWhatChangesAndNothingTwice() throws {
        let hosts = try WatchedHosts([
            "good.test": .good, "gone.test": .status("404 Not Found"), "silent.test": .silent,
            "endless.test": .endless, "cut.test": .cut, "drip.test": .drip,
        ])
        let watcher = try Watcher(hosts, ["--format", "json"])
        // Each fault once, whatever the others do meanwhile.
        let expected: Set<String> = [
            "gone.test/status-not-found problem", "silent.test/answer-timeout problem",
            "endless.test/answer-too-large problem", "cut.test/answer-cut problem",
            "drip.test/answer-timeout problem",
        ]
        try watcher.wait { expected.isSubset(of: $0.changes) }
        #expect(!watcher.changes.contains { $0.hasPrefix("good.test/") }, "\(watcher.lines)")
        #expect(watcher.descriptors < 80)

        hosts.set("good.test", .fewerApps)
        hosts.set("gone.test", .good)
        try watcher.wait {
            $0.changes.contains("good.test/document-changed note")
                && $0.changes.contains("gone.test/status-not-found resolved")
        }
        let lost = watcher.lines.first { $0.contains("document-changed") } ?? ""
        #expect(lost.contains("gone: webcredentials D3KQX62K1A.com.example.b"), "\(lost)")
        expectEqual(watcher.end(), 0)
        expectEqual(Set(watcher.changes).count, watcher.changes.count, "\(watcher.changes)")
    }

    @Test func printsTextForPeople() throws {
        let hosts = try WatchedHosts(["gone.test": .status("404 Not Found")])
        let watcher = try Watcher(hosts)
        try watcher.wait { !$0.lines.isEmpty }
        #expect(
            watcher.lines[0].firstMatch(
                of: #/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ gone\.test: error status-not-found: /#)
                != nil,
            "\(watcher.lines)")
        hosts.set("gone.test", .good)
        try watcher.wait { $0.lines.contains { $0.contains("resolved status-not-found after ") } }
        expectEqual(watcher.end(), 0)
    }
}
