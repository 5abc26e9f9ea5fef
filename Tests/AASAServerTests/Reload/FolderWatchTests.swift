import Glibc
import Reactor
import TestSupport
import Testing

@testable import AASAServer

@Suite struct FolderWatchTests {
    private let folder: TemporaryFolder
    private let log: FileLog

    init() throws {
        folder = try TemporaryFolder("watch")
        log = try FileLog()
        try folder.makeFolder("first/site")
        try folder.makeFolder("second/site")
        try #require(symlink("first", folder.path("current")) == 0)
    }

    private final class Watching {
        private var watch: FolderWatch
        private let wakeup: Wakeup

        init(_ watch: consuming FolderWatch) throws {
            self.watch = watch
            wakeup = try Wakeup()
        }

        func look(at folders: Set<String>) { watch.watch(folders) }

        /// Whether a change that was made before is noticed; where none was, the wake-up ends the
        /// wait.
        func notices(wakes: Bool = true) -> Bool {
            if wakes { wakeup.signal() }
            defer { wakeup.drain() }
            return watch.wait(beside: wakeup.descriptor, until: .now() + .seconds(60))
        }
    }

    /// A watch of a root, which looks at the root itself.
    private func watch(_ root: String, isOn: Bool = true) throws -> Watching {
        let watch = try Watching(FolderWatch(isOn: isOn, roots: [root], log: log.logger))
        watch.look(at: [root])
        return watch
    }

    @Test func aChangeInAWatchedFolderIsNoticedOnce() throws {
        let site = folder.path("first/site")
        let watch = try watch(site)
        #expect(!watch.notices(), "nothing has changed")
        try folder.write("first/site/a", "1")
        #expect(watch.notices(wakes: false))
        #expect(!watch.notices())
        try folder.write("second/site/a", "1")
        #expect(!watch.notices(), "it is not watched")
        // Told that there are other folders: those.
        watch.look(at: [folder.path("second/site")])
        try folder.write("second/site/b", "1")
        #expect(watch.notices(wakes: false))
        #expect(log.lines.isEmpty)
    }

    /// A release swaps a link on the way: nothing changes in the folder that was watched.
    @Test func aLinkThatLeadsElsewhereIsNoticed() throws {
        let root = folder.path("current/site")
        let watch = try watch(root)
        expectEqual(symlink("second", folder.path("next")), 0)
        #expect(watch.notices(wakes: false), "whether it matters shows the fingerprint")
        expectEqual(rename(folder.path("next"), folder.path("current")), 0)
        #expect(watch.notices(wakes: false))
        #expect(!watch.notices())
        // Back to where it was is a change as well.
        expectEqual(symlink("first", folder.path("next")), 0)
        expectEqual(rename(folder.path("next"), folder.path("current")), 0)
        #expect(watch.notices(wakes: false))
    }

    @Test func switchedOffItWaitsAndSeesNothing() throws {
        let site = folder.path("first/site")
        let watch = try watch(site, isOn: false)
        try folder.write("first/site/a", "1")
        #expect(!watch.notices())
        #expect(log.lines.isEmpty, "it was wanted so")
    }
}
