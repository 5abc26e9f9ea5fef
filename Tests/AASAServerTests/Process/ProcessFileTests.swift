import Reactor
import TestSupport
import Testing

@testable import AASAServer

@Suite struct ProcessFileTests {
    private let folder: TemporaryFolder
    private let file: ProcessFile

    init() throws {
        folder = try TemporaryFolder("state")
        file = ProcessFile(path: folder.path("pid"))
    }

    @Test func whatIsWrittenIsRead() throws {
        try file.write("4711\n")
        #expect(file.processIdentifier() == 4711)
        try file.write("4712\n")
        #expect(file.processIdentifier() == 4712)
    }

    @Test func onlyOurOwnIsRemoved() throws {
        try file.write("4712\n")
        file.remove(ifItSays: "4711\n")
        #expect(file.processIdentifier() == 4712)
        file.remove(ifItSays: "4712\n")
        #expect(file.processIdentifier() == nil)
    }

    @Test func oneOfAnotherServerIsRemovedAsAWhole() throws {
        try file.write("listen 127.0.0.1:8443\n")
        file.remove()
        #expect(!Files.exists(file.path))
        file.remove()
    }

    @Test(arguments: ["", "x", "0", "1", "-5", "12x"])
    func nonsenseIsNoProcess(text: String) throws {
        try file.write(text)
        #expect(file.processIdentifier() == nil)
    }

    @Test func aFolderThatIsMissingIsNamed() {
        let lost = ProcessFile(path: folder.path("no/pid"))
        let failure = #expect(throws: Problem.self) { try lost.write("1") }
        #expect(failure?.remedy.contains("create the folder \(folder.path("no")) first") == true)
    }
}
