import Foundation
import TestSupport
import Testing

@Suite struct WatchFolderTests {
    /// What was told stays told over a restart, host by host, and files of others do no harm.
    @Test func keepsWhatItKnows() throws {
        let hosts = try WatchedHosts([
            "gone.test": .status("404 Not Found"), "cut.test": .cut,
        ])
        let first = try Watcher(hosts, nil)
        try first.wait { $0.problems.count == 2 }
        let second: Watcher
        do {
            let other = try first.beside(hosts)
            #expect(other.status == 3, "\(other)")
            #expect(other.stderr.contains("another watcher keeps its state here"), "\(other)")
        }
        #expect(first.end() == 0)
        let names = try FileManager.default.contentsOfDirectory(atPath: first.folder)
        #expect(
            Set(names).isSuperset(of: ["host-cut.test.json", "host-gone.test.json"]), "\(names)")
        // One file is spoilt: that host is looked at as if for the first time, the other is known.
        try Data("{".utf8).write(to: URL(fileURLWithPath: first.folder + "/host-cut.test.json"))
        second = try Watcher(hosts, nil, after: first)
        try second.wait { !$0.problems.isEmpty }
        #expect(second.problems == ["cut.test/answer-cut"])
        #expect(second.end() == 0)
    }

    @Test func saysThatTheFolderCannotBeMade() throws {
        let folder = try TemporaryFolder("state")
        let file = try folder.write("file", "x")
        let result = try Tool.run(
            try Tool.aasa(),
            ["check", "--watch", "60", "example.com", "--state", file + "/state"],
            timeout: .seconds(30))
        #expect(result.status == 3 && result.stderr.contains("--state"), "\(result)")
    }

    /// A template's keys stand in what is on its way.
    @Test func whatIsOnItsWayIsReadByNobodyElse() throws {
        let hosts = try WatchedHosts(["gone.test": .status("404 Not Found")])
        let watcher = try Watcher(hosts, nil, ["--webhook", "http://127.0.0.1:1/"])
        try watcher.wait { FileManager.default.fileExists(atPath: $0.folder + "/webhook.json") }
        #expect(watcher.end() == 0)
        let file = watcher.folder + "/webhook.json"
        let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int
        #expect(mode == 0o600)
    }
}
