import Glibc
import Reactor
import TestSupport
import Testing

@testable import AASAServer

@Suite struct RunFolderTests {
    @Test func everyoneHasTheirOwnPlace() {
        let none: [String: String] = [:]
        #expect(RunFolder.ofServer(environment: none, user: 0).path == "/run/aasa")
        #expect(RunFolder.ofServer(environment: none, user: 7).path == "/tmp/aasa-7")
        let session = ["XDG_RUNTIME_DIR": "/run/user/7"]
        #expect(RunFolder.ofServer(environment: session, user: 7).path == "/run/user/7/aasa")
        let unit = ["RUNTIME_DIRECTORY": "/run/aasa:/run/other", "XDG_RUNTIME_DIR": "/run/user/7"]
        #expect(RunFolder.ofServer(environment: unit, user: 7).path == "/run/aasa")
        #expect(
            RunFolder.candidates(environment: session, user: 7).map(\.path) == [
                "/run/user/7/aasa", "/tmp/aasa-7", "/run/aasa",
            ])
        #expect(RunFolder.candidates(environment: none, user: 0).first?.path == "/run/aasa")
    }

    @Test func socketsAreCalledByTheirProcess() throws {
        let folder = try TemporaryFolder("run")
        let run = RunFolder(path: folder.path)
        #expect(run.socket(of: 17) == folder.path("17.sock"))
        for name in ["17.sock", "x.sock", "18.txt", "-3.sock", "0.sock"] {
            try folder.write(name, "")
        }
        #expect(run.processes == [17])
    }

    @Test func aFolderOfOthersIsRefused() throws {
        let folder = try TemporaryFolder("run")
        let run = RunFolder(path: folder.path("aasa"))
        try run.make(owner: nil)
        try run.make(owner: nil)
        var status = stat()
        #expect(stat(run.path, &status) == 0 && status.st_mode & 0o777 == 0o700)
        chmod(run.path, 0o777)
        #expect(throws: Problem.self) { try run.make(owner: nil) }
        try folder.write("file", "")
        #expect(throws: Problem.self) {
            try RunFolder(path: folder.path("file")).make(owner: nil)
        }
        #expect(throws: Problem.self) {
            try RunFolder(path: folder.path("no/such")).make(owner: nil)
        }
        symlink(run.path, folder.path("link"))
        #expect(throws: Problem.self) {
            try RunFolder(path: folder.path("link")).make(owner: nil)
        }
    }
}
