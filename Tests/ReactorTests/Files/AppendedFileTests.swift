import Foundation
import TestSupport
import Testing

@testable import Reactor

@Suite struct AppendedFileTests {
    @Test func addsToWhatIsThere() throws {
        let folder = try TemporaryFolder("appended")
        let path = folder.path("log")
        for line in ["one\n", "two\n"] {
            let file = try AppendedFile.open(path)
            AppendedFile.write(Array(line.utf8), to: file)
            FileDescriptor.close(file)
        }
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "one\ntwo\n")
    }

    @Test func saysWhyItCannotBeMade() throws {
        let folder = try TemporaryFolder("appended")
        #expect(throws: FileError.self) { try AppendedFile.open(folder.path("gone/log")) }
    }
}
