import Glibc
import Reactor
import TestSupport
import Testing

@testable import AASAServer

@Suite struct AdminTokenFileTests {
    @Test func theFileIsReadAgainAndTheLastGoodTokenStays() throws {
        let folder = try TemporaryFolder("token")
        try folder.write("token", "first-token-of-the-day\n")
        let path = folder.path("token")
        var file = try AdminTokenFile(path: path)
        expectEqual(file.current(), Array("first-token-of-the-day".utf8))
        try folder.write("token", "second-token-of-the-day\r\n")
        expectEqual(file.current(), Array("second-token-of-the-day".utf8))
        for nonsense in ["", "short", "with a space in the middle", "\u{1B}[31mred-red-red-red"] {
            try folder.write("token", nonsense)
            expectEqual(file.current(), Array("second-token-of-the-day".utf8))
            #expect(throws: Problem.self) {
                try AdminTokenFile(path: folder.path("token"))
            }
        }
        expectEqual(AdminTokenFile.problem(at: path)?.cause.contains("a restart fails"), true)
        unlink(folder.path("token"))
        expectEqual(file.current(), Array("second-token-of-the-day".utf8))
        expectEqual(AdminTokenFile.problem(at: path)?.place.contains(folder.path("token")), true)
        try folder.write("token", "third-token-of-the-day")
        #expect(AdminTokenFile.problem(at: path) == nil)
    }

    @Test func aFileThatIsNotThereIsNamed() {
        let failure = #expect(throws: Problem.self) { try AdminTokenFile(path: "/no/such/token") }
        expectEqual(failure?.place.contains("/no/such/token"), true, "\(failure as Any)")
    }
}
