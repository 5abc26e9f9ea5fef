// Covers: StateKeeper.swift
import Glibc
import Reactor
import TestSupport
import Testing

@testable import AASAServer

@Suite struct StateFolderTests {
    private let folder: TemporaryFolder
    private var path: String { folder.path("state") }

    init() throws { folder = try TemporaryFolder("state") }

    private static let document = "apple-app-site-association"

    /// A host of that document; nil: it has none.
    private func tree(_ documents: [String: String?], isCertified: Bool = false) -> KeptTree {
        var tree = KeptTree()
        for (name, text) in documents {
            var kept = KeptHost()
            kept.files["host.json"] = []
            kept.files[Self.document] = text.map { Array($0.utf8) }
            tree.add(kept, of: name)
        }
        let files = CertificateFolder.Files(chain: "/a/fullchain.pem", key: "/a/privkey.pem")
        if isCertified { tree.add([KeptPair(files: files, chain: [1], key: [2])], of: "a", in: "") }
        return tree
    }

    private func documents(_ tree: KeptTree) -> [String: String] {
        tree.hosts.mapValues { String(decoding: $0.files[Self.document] ?? [], as: UTF8.self) }
    }

    /// Other tests start processes: each has a copy of the last lock between fork(2) and execve(2).
    private func open() throws -> StateFolder {
        var state: StateFolder?
        _ = try eventually {
            do throws(Problem) { state = try StateFolder(path: path) } catch {
                guard error.isBusy else { throw error }
            }
            return state != nil
        }
        return try state.take() ?? StateFolder(path: path)
    }

    private func read() throws -> (tree: KeptTree, problems: [Problem]) {
        var state = try open()
        return state.read()
    }

    private func write(_ tree: KeptTree) throws {
        var state = try open()
        _ = state.read()
        try state.write(tree)
    }

    private var kept: [String] { (try? Files.names(in: path + "/kept", limit: 99)) ?? [] }

    /// A thousand hosts of which one changes are one file to write; but what somebody has touched
    /// is written again.
    @Test func whatHasNotChangedIsNotWrittenAgain() throws {
        func inode(_ host: String) -> UInt64? {
            Files.status("\(path)/current/site/\(host)/\(Self.document)")?.inode
        }
        var state = try open()
        try state.write(tree(["a": "1", "b": "1"]))
        let first = (inode("a"), inode("b"))
        try state.write(tree(["a": "1", "b": "2"]))
        #expect(first.0 != nil && inode("a") == first.0 && inode("b") != first.1)
        #expect(state.isWhole && kept.count == 1)
        let touched = "\(path)/current/site/a/\(Self.document)"
        try Files.replace(touched, with: Array("?".utf8))
        try state.write(tree(["a": "1", "b": "3"]))
        expectEqual(documents(StateFolder.read(path).tree), ["a": "1", "b": "3"])
        Files.removeTree("\(path)/current/site/a")
        try state.write(tree(["a": "1", "b": "4"]))
        expectEqual(documents(state.read().tree), ["a": "1", "b": "4"])
    }

    @Test func whatIsWrittenIsReadByTheNextProcess() throws {
        let tree = tree(["a.example": "{}", "b.example": "[]"], isCertified: true)
        try write(tree)
        let (found, problems) = try read()
        #expect(problems.isEmpty && found == tree)
        expectEqual(Files.linkTarget(path + "/current"), "kept/" + tree.hash)
        // Ordinary folders, for every command.
        let site = try SiteFolder.read(path + "/current/site")
        expectEqual(site.hosts.map(\.name), ["a.example", "b.example"])
        for (place, mode) in [
            ("", 0o700), ("/aasa-state", 0o600), ("/current/facts.json", 0o600),
            ("/current/site/a.example", 0o700), ("/current/site/a.example/host.json", 0o600),
            ("/current/certs/a/privkey.pem", 0o600),
        ] { expectEqual((Files.status(path + place)?.mode ?? 0) & 0o777, UInt32(mode), "\(place)") }
    }

    @Test func whatIsNoLongerServedIsRemovedAndWhatIsUnchangedLeftAlone() throws {
        try write(tree(["a.example": "{}", "b.example": "{}"]))
        let before = Files.status(path + "/current")
        try write(tree(["a.example": "{}", "b.example": "{}"]))
        expectEqual(Files.status(path + "/current"), before)
        try write(tree(["a.example": "{}"]))
        try expectEqual(read().tree, tree(["a.example": "{}"]))
        expectEqual(kept, [tree(["a.example": "{}"]).hash], "nothing else stays")
    }

    /// As a process that is killed leaves it.
    /// A copy without links, and a link that leads nowhere.
    @Test(arguments: [nil, "kept/none"]) func aLostLinkLosesNothing(link: String?) throws {
        try write(tree(["a.example": "a"]))
        unlink(path + "/current")
        if let link { symlink(link, path + "/current") }
        let found = try read()
        #expect(documents(found.tree) == ["a.example": "a"] && found.problems.isEmpty)
        try write(tree(["a.example": "a"]))
        expectEqual(Files.linkTarget(path + "/current"), "kept/\(found.tree.hash)")
        // Two trees, of which the link told the right one.
        try write(tree(["a.example": "b"]))
        try expectEqual(documents(read().tree), ["a.example": "b"])
    }

    @Test func whatWasNotFinishedIsNotReadAndIsRemoved() throws {
        let old = tree(["a.example": "{}"])
        try write(old)
        try folder.write("state/kept/.new/site/a.example/host.json", "{")
        try folder.write("state/kept/0123/facts.json", "{}")
        try expectEqual(read().tree, old)
        try write(tree(["b.example": "{}"]))
        expectEqual(kept, [tree(["b.example": "{}"]).hash])
    }

    /// What may be torn after a crash replaces nothing; nor does what a full disk has no room for.
    @Test(arguments: [(FaultInjection.Call.fsync, EIO), (.write, ENOSPC), (.open, EROFS)])
    func whatCannotBeWrittenReplacesNothing(call: FaultInjection.Call, number: Int32) throws {
        defer { FaultInjection.disarm() }
        let old = tree(["a.example": "old"])
        try write(old)
        var state = try open()
        _ = state.read()
        FaultInjection.arm(call, number: number)
        let failure = #expect(throws: Problem.self) {
            try state.write(tree(["a.example": "new", "b.example": "new"]))
        }
        FaultInjection.disarm()
        expectEqual(failure?.place, path + "/kept")
        expectEqual(failure?.cause.hasPrefix("cannot be written: "), true, "\(failure as Any)")
        expectEqual(kept, [old.hash], "no part of it stays")
        expectEqual(state.read().tree, old)
        try state.write(tree(["a.example": "new"]))
        expectEqual(state.read().tree, tree(["a.example": "new"]))
    }

    /// What is damaged costs its host alone, and is not thrown away: it may be the only copy.
    @Test func whatIsDamagedIsNamedAndStays() throws {
        let whole = tree(["a.example": "a", "b.example": "b"], isCertified: true)
        try write(whole)
        try folder.write("state/current/site/a.example/host.json", "torn")
        expectEqual(unlink(path + "/current/certs/a/privkey.pem"), 0)
        let (found, problems) = try read()
        expectEqual(documents(found), ["b.example": "b"])
        #expect(found.pairs(of: "a", in: "").isEmpty)
        let place = "\(path)/kept/\(whole.hash)"
        expectEqual(
            problems.map(\.place),
            [
                place + "/certs/a/privkey.pem", place + "/site/a.example/host.json",
            ])
        try write(tree(["b.example": "b"]))
        try expectEqual(
            folder.read("state/kept/damaged-\(whole.hash)/site/a.example/host.json"),
            Array("torn".utf8))
        try write(tree(["c.example": "c"]))
        #expect(kept.count == 2 && kept.contains("damaged-" + whole.hash))
        #expect(try read().problems.isEmpty)
        // What is served again as it was needs no copy of the damage.
        try folder.write("state/current/facts.json", "{")
        try expectEqual(read().problems.map(\.place.last), ["n"])
        try write(tree(["c.example": "c"]))
        expectEqual(kept.count, 2)
    }

    /// A second server with the same folder gets the lock when the first one restarts.
    @Test func whatWasNeverLoadedIsNeitherReplacedByNothingNorRemoved() throws {
        try write(tree(["a.example": "kept", "b.example": "kept"], isCertified: true))
        var late = try open()
        late.keepWhatIsForeign()
        try late.write(tree(["a.example": nil, "c.example": "new"]))
        let found = late.read().tree
        expectEqual(
            documents(found), ["a.example": "kept", "b.example": "kept", "c.example": "new"])
        expectEqual(found.certificateFolders, ["a"])
        // What is kept here as well is this server's from then on.
        late.keepWhatIsForeign()
        try late.write(tree(["a.example": "new", "c.example": "new"]))
        try late.write(tree(["c.example": "new"]))
        expectEqual(documents(late.read().tree), ["b.example": "kept", "c.example": "new"])
    }

    @Test func foldersOfOthersAreLeftAlone() throws {
        try folder.write("state/letters.txt", "mine")
        let failure = #expect(throws: Problem.self) { try write(tree(["a.example": "{}"])) }
        expectEqual(failure?.cause.contains("other files"), true)
        #expect(access("\(path)/aasa-state", F_OK) != 0)
        try folder.write("file", "no folder")
        #expect(throws: Problem.self) { _ = try StateFolder(path: folder.path("file")) }
        #expect(throws: Problem.self) {
            _ = try StateFolder(path: folder.path("no/such/parent"))
        }
    }

    @Test func aNewerFormatIsLeftAlone() throws {
        try write(tree(["a.example": "{}"]))
        try folder.write("state/aasa-state", "aasa-state 9\n")
        let failure = #expect(throws: Problem.self) { try write(tree(["b.example": "{}"])) }
        expectEqual(failure?.cause.contains("newer"), true)
        #expect(Files.exists(path + "/current/site/a.example"))
        expectEqual(StateFolder.problem(path), failure)
    }

    /// A marker that says something else than aasa wrote there hides nothing that is kept.
    @Test(arguments: ["`asa-state 3\n", "aasa-state", "\u{0}", "some words\n"])
    func aDamagedMarkerIsWrittenAgain(text: String) throws {
        try write(tree(["a.example": "{}"]))
        try folder.write("state/aasa-state", text)
        #expect(StateFolder.problem(path) == nil)
        let (found, problems) = try read()
        #expect(documents(found) == ["a.example": "{}"] && problems.isEmpty)
        try write(tree(["b.example": "{}"]))
        try expectEqual(folder.read("state/aasa-state"), Array("aasa-state 3\n".utf8))
    }

    /// A backup that follows links makes a folder of one.
    @Test func aFolderInThePlaceOfTheLinkIsReplaced() throws {
        try write(tree(["a.example": "{}"]))
        let target = try #require(Files.linkTarget(path + "/current"))
        expectEqual(unlink(path + "/current"), 0)
        try folder.write("state/current/facts.json", "{}")
        expectEqual(documents(try read().tree), ["a.example": "{}"])
        try write(tree(["b.example": "{}"]))
        expectEqual(documents(try read().tree), ["b.example": "{}"])
        expectEqual(Files.linkTarget(path + "/current").map { $0 != target }, true)
        try expectEqual(folder.read("state/kept/damaged-current/facts.json"), Array("{}".utf8))
    }

    /// What `serve --check` says of `--state`, without a trace.
    @Test func aFolderThatCannotBeUsedIsSaidBefore() throws {
        #expect(StateFolder.problem(nil) == nil && StateFolder.problem(path) == nil)
        #expect(!Files.hasEntry(path))
        let file = try folder.write("file", "no folder")
        for place in [file, folder.path("no/such/parent")] {
            expectEqual(StateFolder.problem(place)?.place, place)
        }
        try folder.write("state/letters.txt", "mine")
        expectEqual(StateFolder.problem(path)?.cause.contains("other files"), true)
        let keeper = StateKeeper(path: folder.path("held"))
        #expect(keeper.read().problems.isEmpty)
        #expect(StateFolder.problem(folder.path("held")) == nil, "by the server that runs")
    }

    @Test func twoServersCannotShareIt() throws {
        let first = StateKeeper(path: path)
        #expect(first.read().problems.isEmpty)
        let second = StateKeeper(path: path)
        expectEqual(second.read().problems.map(\.isBusy), [true])
        expectEqual(second.write()?.isBusy, true)
        first.yield()
        #expect(first.write() == nil)
        #expect(second.write() == nil)
        #expect(second.problem == nil)
    }

    private static let losses = [
        "the folder", "the trees", "the link", "a file", "a changed file", "another folder",
        "the marker", "the marker and the link",
    ]

    /// What was once written is not believed to be there for ever.
    @Test(arguments: losses)
    func whatOthersRemoveUnderARunningServerIsWrittenAgain(loss: String) throws {
        let keeper = StateKeeper(path: path)
        _ = keeper.read()
        let tree = tree(["a.example": "{}", "b.example": "{}"])
        #expect(keeper.keep(tree) == nil)
        #expect(keeper.write() == nil && !keeper.wasLost)
        switch loss {
        case "the folder": Files.removeTree(path)
        case "the trees": Files.removeTree(path + "/kept")
        case "the link": expectEqual(unlink(path + "/current"), 0)
        case "a file": expectEqual(unlink(path + "/current/site/a.example/host.json"), 0)
        case "the marker and the link":
            expectEqual(unlink(path + "/aasa-state"), 0)
            expectEqual(unlink(path + "/current"), 0)
        case "the marker": expectEqual(unlink(path + "/aasa-state"), 0)
        case "a changed file": try folder.write("state/current/site/a.example/host.json", "x")
        default:
            expectEqual(rename(path, path + ".away"), 0)
            try write(self.tree(["z.example": "{}"]))
        }
        #expect(keeper.write() == nil)
        expectEqual(
            keeper.wasLost,
            ["the folder", "another folder", "the marker", "the marker and the link"]
                .contains(loss))
        #expect(keeper.write() == nil && !keeper.wasLost)
        keeper.yield()
        // What another server left there was never loaded here, and stays.
        let others = loss == "another folder" ? ["z.example"] : []
        let (found, problems) = try read()
        expectEqual(found.hosts.keys.sorted(), ["a.example", "b.example"] + others)
        #expect(problems.isEmpty)
    }

    /// Nothing has changed, so nothing would be written: it is said nevertheless.
    @Test func aFolderThatTakesNothingMoreIsSaidBeforeThereIsSomethingToKeep() throws {
        let keeper = StateKeeper(path: path)
        _ = keeper.read()
        #expect(keeper.keep(tree(["a.example": "{}"])) == nil)
        for number in [ENOSPC, EROFS] {
            FaultInjection.arm(.write, number: number)
            expectEqual(keeper.write()?.place, path + "/kept")
            FaultInjection.disarm()
            expectEqual(keeper.problem?.cause.hasPrefix("cannot be written"), true)
            #expect(keeper.write() == nil && keeper.problem == nil)
        }
        expectEqual(kept.count, 1)
        // Neither folder nor the one above it.
        expectEqual(rename(folder.path, folder.path + ".away"), 0)
        let problem = keeper.write()
        expectEqual(rename(folder.path + ".away", folder.path), 0)
        expectEqual(
            problem?.remedy.contains("create the folder \(folder.path) first"), true,
            "\(problem as Any)")
    }

    /// A server that is started as root by mistake, or gives root up later, must leave nothing that
    /// the unprivileged one cannot read and replace.
    @Test(.enabled(if: geteuid() == 0, "only root gives files away"), arguments: [true, false])
    func whatRootWritesIsTheFoldersOwners(names: Bool) throws {
        let nobody = Files.Owner(user: 65_534, group: 65_534)
        try write(tree(["a.example": "{}"]))
        expectEqual(Files.owner(of: path + "/current/site")?.user, 0)
        if !names { expectEqual(chown(path, nobody.user, nobody.group), 0) }
        var state = try StateFolder(path: path, owner: names ? nobody : nil)
        expectEqual(Files.owner(of: path + "/current/site/a.example/host.json"), nobody)
        _ = state.read()
        try state.write(tree(["a.example": "{}", "b.example": "{}"]))
        for place in [
            "", "/aasa-state", "/kept", "/current", "/current/facts.json", "/current/site",
            "/current/site/b.example", "/current/site/b.example/host.json",
        ] { expectEqual(Files.owner(of: path + place), nobody, "\(place)") }
    }
}
