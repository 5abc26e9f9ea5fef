import Glibc
import Reactor
import TestSupport
import Testing

@testable import AASAServer

@Suite struct FileReadingTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder("reading") }

    private func problem(_ reason: FileError.Reason, isFolder: Bool = false) -> Problem {
        Problem(FileError("reading", "/srv/x", reason), isFolder: isFolder)
    }

    /// Each cause has a remedy of its own, and the path is the place.
    @Test func everyReasonHasItsRemedy() {
        let reasons: [FileError.Reason] = [
            .tooLarge(size: 9, limit: 8), .tooManyEntries(limit: 8), .notRegular,
            .outside("/etc"), .system(ENOENT), .system(EACCES), .system(ELOOP),
            .system(EMFILE), .system(EIO),
        ]
        let problems = reasons.map { problem($0) }
        #expect(problems.allSatisfy { $0.place == "/srv/x" && !$0.remedy.isEmpty })
        expectEqual(Set(problems.map(\.remedy)).count, problems.count)
        expectEqual(Set(problems.map(\.cause)).count, problems.count)
        expectEqual(problem(.tooLarge(size: 9, limit: 8)).cause, "9 bytes, and at most 8 are read")
        #expect(problem(.outside("/etc")).cause.hasSuffix("to /etc"))
        expectEqual(problem(.system(ENFILE)).remedy, problem(.system(EMFILE)).remedy)
    }

    /// Callers do something about what is missing.
    @Test func onlyWhatIsMissingIsMissing() {
        #expect(problem(.system(ENOENT)).isMissing && problem(.system(ENOTDIR)).isMissing)
        for reason in [FileError.Reason.system(EACCES), .system(ELOOP), .notRegular] {
            #expect(!problem(reason).isMissing)
        }
        expectEqual(problem(.system(ENOENT)).cause, "no such file")
        expectEqual(problem(.system(ENOENT), isFolder: true).cause, "no such folder")
        #expect(problem(.system(EACCES), isFolder: true).remedy.contains("chmod a+rx /srv/x"))
        #expect(!problem(.system(EACCES)).remedy.contains("chmod a+rx"))
    }

    /// A `String` cannot carry the name, so nothing can open the file.
    @Test func aNameThatIsNotUTF8IsSaid() {
        let unnameable = Problem(
            FileError("reading", "/srv/\u{FFFD}", .system(ENOENT)), isFolder: false)
        #expect(unnameable.cause == "its name is not UTF-8" && unnameable.remedy == "rename it")
        let denied = Problem(
            FileError("reading", "/srv/\u{FFFD}", .system(EACCES)), isFolder: false)
        #expect(denied.cause.contains("permission denied"))
        #expect(FolderEntry.isUnnameable("a\u{FFFD}") && !FolderEntry.isUnnameable("ä"))
    }

    @Test func aFileIsReadUpToItsBound() throws {
        let path = try folder.write("f", "12345")
        try expectEqual(FileReading.bytes(at: path, maximum: 5), Array("12345".utf8))
        let failure = #expect(throws: Problem.self) {
            try FileReading.bytes(at: path, maximum: 4)
        }
        expectEqual(failure?.cause, "5 bytes, and at most 4 are read")
        #expect(throws: Problem.self) { try FileReading.bytes(at: folder.path, maximum: 4) }
    }

    /// What a link leads to has to lie below one of the roots, wherever the link stands.
    @Test func beneathItsRootsAlone() throws {
        try folder.write("in/f", "inside")
        try folder.write("out/f", "outside")
        let root = folder.path("in")
        expectEqual(symlink(folder.path("out/f"), folder.path("in/link")), 0)
        expectEqual(symlink("f", folder.path("in/same")), 0)
        func read(_ name: String, _ roots: [String]?) throws -> String {
            String(
                decoding: try FileReading.bytes(
                    at: folder.path(name), maximum: 100, beneath: roots), as: UTF8.self)
        }
        try expectEqual(read("in/same", [root]), "inside")
        try expectEqual(read("in/link", nil), "outside")
        try expectEqual(read("in/link", [root, folder.path("out")]), "outside")
        let failure = #expect(throws: Problem.self) { try read("in/link", [root]) }
        expectEqual(failure?.cause.contains("points out of the site folder"), true)
    }

    @Test func aFolderIsListedInOrderWithoutWhatEditorsLeave() throws {
        for name in ["b", "a", ".hidden", "a~", "#a#", "4913", "x.tmp"] {
            try folder.write("list/\(name)", "")
        }
        try folder.makeFolder("list/c")
        let path = folder.path("list")
        let entries = try FileReading.entries(of: path, maximum: 100)
        expectEqual(entries.map(\.name), ["a", "b", "c"])
        expectEqual(entries.map(\.kind), [.file, .file, .folder])
        #expect(throws: Problem.self) { try FileReading.entries(of: path, maximum: 2) }
        let missing = #expect(throws: Problem.self) {
            try FileReading.entries(of: folder.path("no"), maximum: 2)
        }
        #expect(missing?.cause == "no such folder" && missing?.isMissing == true)
    }

    @Test(arguments: [
        (".a", true), ("..data", true), ("a~", true), ("4913", true), ("#a#", true),
        ("lost+found", true), ("a.swp", true), ("a.bak", true), ("a.orig", true), ("a.part", true),
        ("a.json", false), ("a", false), ("~a", false), ("#a", false), ("a#", false),
        ("49130", false), ("tmp", false), ("a.tmp.json", false), ("lost+found2", false),
    ])
    func whatIsIgnored(_ name: String, _ isIgnored: Bool) {
        expectEqual(FolderEntry.isIgnored(name), isIgnored)
    }
}
