// Covers: StateKeeper.swift, StateFolder+Reading.swift
import Glibc
import HTTP
import Reactor
import TestSupport
import Testing

@testable import AASAServer

@Suite struct StateFolderTests {
    private let folder: TemporaryFolder
    private var path: String { folder.path("state") }

    init() throws { folder = try TemporaryFolder("state") }

    private func record(_ name: String, _ text: String = "{}") -> StateRecord {
        var record = StateRecord(.host, name)
        record.add("document.json", text)
        return record
    }

    private func read() throws -> (records: [StateRecord], problems: [Problem]) {
        var state = try StateFolder(path: path)
        return state.read()
    }

    private func write(_ records: [StateRecord]) throws {
        var state = try StateFolder(path: path)
        _ = state.read()
        try state.write(records)
    }

    @Test func whatIsWrittenIsReadByTheNextProcess() throws {
        let certificate = StateRecord(.certificates, "live/example")
        try write([record("a.example"), record("b.example"), certificate])
        let (records, problems) = try read()
        #expect(problems.isEmpty)
        #expect(records.map(\.name) == ["a.example", "b.example", "live/example"])
        for place in ["aasa-state", "hosts/a.example", "certificates/live%2fexample"] {
            var status = stat()
            #expect(stat("\(path)/\(place)", &status) == 0)
            #expect(status.st_mode & 0o777 == 0o600)
        }
        var status = stat()
        #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o700)
    }

    @Test func whatIsNoLongerServedIsRemovedAndWhatIsUnchangedLeftAlone() throws {
        try write([record("a.example"), record("b.example")])
        var before = stat()
        #expect(stat("\(path)/hosts/a.example", &before) == 0)
        var state = try StateFolder(path: path)
        _ = state.read()
        try state.write([record("a.example")])
        var after = stat()
        #expect(stat("\(path)/hosts/a.example", &after) == 0)
        #expect(before.st_ino == after.st_ino)
        #expect(access("\(path)/hosts/b.example", F_OK) != 0)
    }

    /// More files than are forced to disk one by one.
    @Test func manyHostsAreWrittenAtOnce() throws {
        let records = (0..<200).map { record("h\($0).example") }
        try write(records)
        #expect(Set(try read().records.map(\.name)) == Set(records.map(\.name)))
    }

    #if FAULT_INJECTION
        /// What may be torn after a crash replaces nothing.
        @Test func manyHostsThatAreNotForcedToDiskReplaceNothing() throws {
            defer { FaultInjection.disarm() }
            let records = (0..<200).map { record("h\($0).example", "{\"old\":1}") }
            try write(records)
            FaultInjection.arm(.fsync, number: EIO)
            let failure = #expect(throws: Problem.self) {
                try write((0..<200).map { record("h\($0).example", "{\"new\":1}") })
            }
            #expect(failure?.place == path)
            #expect(failure?.cause.hasPrefix("cannot be forced to disk") == true)
            #expect(
                try read().records.allSatisfy { $0.text("document.json") == "{\"old\":1}" })
            let left = try FileReading.entries(of: path + "/hosts", maximum: 999)
            #expect(left.count == 200, "no temporary file stays")
        }
    #endif

    @Test func aDamagedRecordIsNamedAndTheOthersAreRead() throws {
        try write([record("a.example"), record("b.example")])
        try folder.write("state/hosts/a.example", "aasa-state 1 host a.example 00\ntorn")
        try folder.write("state/hosts/c.example", "something else")
        let (records, problems) = try read()
        #expect(records.map(\.name) == ["b.example"])
        #expect(problems.map(\.place) == ["\(path)/hosts/a.example", "\(path)/hosts/c.example"])
        #expect(problems[0].cause.contains("damaged"))
        try write([record("a.example"), record("b.example")])
        #expect(try read().problems.isEmpty)
    }

    /// As root wrote it, or on a disk with an error: when it can be read again, it is worth most.
    @Test func aRecordThatCannotBeReadIsNotReplacedByNothing() throws {
        try write([record("a.example", "{\"kept\": 1}")])
        let place = "\(path)/hosts/a.example"
        let good = try folder.read("state/hosts/a.example")
        try folder.write("state/hosts/a.example", good.dropLast(3))
        try write([StateRecord(.host, "a.example")])
        #expect(try folder.read("state/hosts/a.example") == Array(good.dropLast(3)))
        // A good document replaces it.
        try write([record("a.example", "{\"new\": 1}")])
        #expect(try read().records.first?.text("document.json") == "{\"new\": 1}")
        #expect(access(place, F_OK) == 0)
    }

    /// A second server with the same folder gets the lock when the first one restarts.
    @Test func whatWasNeverLoadedIsNeitherReplacedByNothingNorRemoved() throws {
        try write([record("a.example", "{\"kept\": 1}"), record("b.example")])
        var late = try StateFolder(path: path)
        _ = late.read()
        late.keepWhatIsForeign()
        try late.write([StateRecord(.host, "a.example"), record("c.example")])
        let names = late.read().records.map(\.name)
        #expect(names == ["a.example", "b.example", "c.example"])
        #expect(late.read().records.first?.text("document.json") == "{\"kept\": 1}")
    }

    @Test func aRecordUnderAnotherNameIsNotBelieved() throws {
        try write([record("a.example")])
        #expect(rename("\(path)/hosts/a.example", "\(path)/hosts/b.example") == 0)
        let (records, problems) = try read()
        #expect(records.isEmpty)
        #expect(problems.first?.cause.contains("a.example") == true)
    }

    @Test func foldersOfOthersAreLeftAlone() throws {
        try folder.write("state/letters.txt", "mine")
        let failure = #expect(throws: Problem.self) { try write([record("a.example")]) }
        #expect(failure?.cause.contains("other files") == true)
        #expect(access("\(path)/aasa-state", F_OK) != 0)
        try folder.write("file", "no folder")
        #expect(throws: Problem.self) { _ = try StateFolder(path: folder.path("file")) }
        #expect(throws: Problem.self) {
            _ = try StateFolder(path: folder.path("no/such/parent"))
        }
    }

    @Test func aNewerFormatIsLeftAlone() throws {
        try write([record("a.example")])
        try folder.write("state/aasa-state", "aasa-state 9\n")
        let failure = #expect(throws: Problem.self) { try write([record("b.example")]) }
        #expect(failure?.cause.contains("newer") == true)
        #expect(access("\(path)/hosts/a.example", F_OK) == 0)
        try folder.write("state/aasa-state", "some words\n")
        #expect(throws: Problem.self) { try read() }
    }

    @Test func twoServersCannotShareIt() throws {
        let first = StateKeeper(path: path)
        #expect(first.read().problems.isEmpty)
        let second = StateKeeper(path: path)
        #expect(second.read().problems.map(\.isBusy) == [true])
        #expect(second.write()?.isBusy == true)
        first.yield()
        #expect(first.write() == nil)
        #expect(second.write() == nil)
        #expect(second.problem == nil)
    }

    private static let nothing = ServedInventory(
        Snapshot(
            generation: 1, hosts: [], certificates: [], defaultHost: nil,
            notFound: PreparedResponse(status: 404, fields: [], body: []),
            unavailable: PreparedResponse(status: 503, fields: [], body: [])),
        CertificateAssignment([], store: CertificateStore(), path: "", defaultHost: nil, now: 0))

    private static let losses = [
        "the folder", "the folders in it", "a record", "a changed record", "another folder",
        "the marker", "the marker and the records",
    ]

    /// What was once written is not believed to be there for ever.
    @Test(arguments: losses)
    func whatOthersRemoveUnderARunningServerIsWrittenAgain(loss: String) throws {
        let keeper = StateKeeper(path: path)
        _ = keeper.read()
        let records = [record("a.example"), record("b.example")]
        #expect(keeper.keep(records, serving: Self.nothing) == nil)
        #expect(keeper.check() == nil && !keeper.takeLoss())
        switch loss {
        case "the folder": Files.removeTree(path)
        case "the folders in it":
            Files.removeTree(path + "/hosts")
            Files.removeTree(path + "/certificates")
        case "a record": #expect(unlink(path + "/hosts/a.example") == 0)
        case "the marker and the records":
            #expect(unlink(path + "/aasa-state") == 0)
            for name in ["a.example", "b.example"] { #expect(unlink(path + "/hosts/" + name) == 0) }
        case "the marker": #expect(unlink(path + "/aasa-state") == 0)
        case "a changed record": try folder.write("state/hosts/a.example", "x")
        default:
            #expect(rename(path, path + ".away") == 0)
            try write([record("z.example")])
        }
        #expect(keeper.check() == nil)
        #expect(keeper.takeLoss() == (!loss.hasSuffix("record") && loss != "the folders in it"))
        #expect(!keeper.takeLoss())
        keeper.yield()
        // What another server left there was never loaded here, and stays.
        let others = loss == "another folder" ? ["z.example"] : []
        #expect(try read().records.map(\.name) == ["a.example", "b.example"] + others)
    }

    /// Nothing has changed, so nothing would be written: it is said nevertheless.
    @Test func aFolderThatTakesNothingMoreIsSaidBeforeThereIsSomethingToKeep() throws {
        let keeper = StateKeeper(path: path)
        _ = keeper.read()
        #expect(keeper.keep([record("a.example")], serving: Self.nothing) == nil)
        for number in [ENOSPC, EROFS] {
            FaultInjection.arm(.write, number: number)
            #expect(keeper.check()?.place == path + "/hosts")
            #expect(keeper.problem?.cause.hasPrefix("cannot be written") == true)
            FaultInjection.arm(.write, number: number)
            #expect(keeper.write() != nil)
            FaultInjection.disarm()
            #expect(keeper.check() == nil && keeper.problem == nil)
        }
        #expect(try FileReading.entries(of: path + "/hosts", maximum: 9).count == 1)
        // Neither folder nor the one above it.
        #expect(rename(folder.path, folder.path + ".away") == 0)
        let problem = keeper.check()
        #expect(rename(folder.path + ".away", folder.path) == 0)
        #expect(
            problem?.remedy.contains("make the folder \(folder.path) first") == true,
            "\(problem as Any)")
    }

    /// A server that is started as root by mistake, or gives root up later, must leave nothing that
    /// the unprivileged one cannot read and replace.
    @Test(.enabled(if: geteuid() == 0, "only root gives files away"), arguments: [true, false])
    func whatRootWritesIsTheFoldersOwners(names: Bool) throws {
        let nobody = Files.Owner(user: 65_534, group: 65_534)
        try write([record("a.example")])
        #expect(Files.owner(of: path + "/hosts/a.example")?.user == 0)
        if !names { #expect(chown(path, nobody.user, nobody.group) == 0) }
        var state = try StateFolder(path: path, owner: names ? nobody : nil)
        _ = state.read()
        try state.write([record("a.example"), record("b.example")])
        for place in ["", "/aasa-state", "/hosts", "/hosts/a.example", "/hosts/b.example"] {
            #expect(Files.owner(of: path + place) == nobody, "\(place)")
        }
    }

    @Test func whatCannotBeWrittenIsSaidAndTheOldStateStays() throws {
        try write([record("a.example", "{\"old\":1}")])
        // A folder where the new file would be written: as good as a full disk.
        try folder.makeFolder("state/hosts/.a.example.new")
        let failure = #expect(throws: Problem.self) {
            try write([record("a.example", "{\"new\":1}"), record("b.example")])
        }
        #expect(failure?.place == "\(path)/hosts/a.example")
        #expect(try read().records.map { $0.text("document.json") } == ["{\"old\":1}", "{}"])
    }

    /// Nothing but a certificate in its place replaces it.
    @Test func aCertificateThatCannotBeReadStays() throws {
        var certificate = StateRecord(.certificates, "a.example")
        certificate.add("0.key", "key")
        try write([certificate, record("a.example")])
        let good = try folder.read("state/certificates/a.example")
        try folder.write("state/certificates/a.example", good.dropLast(3))
        try write([record("a.example")])
        #expect(try folder.read("state/certificates/a.example") == Array(good.dropLast(3)))
        try write([certificate, record("a.example")])
        #expect(try read().problems.isEmpty)
    }
}
