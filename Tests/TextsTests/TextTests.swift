import Foundation
import TestSupport
import Testing
import Texts

@Suite struct TextTests {
    /// Of a text, a document in JSON, a page and a script.
    @Test func isTheFileToTheByte() throws {
        let files = [
            "AASADevice/Association/hellos.txt": Text.systemHellos,
            "AASAServer/Admin/Page/status.html": Text.statusPage,
            "AASAServer/Admin/Page/status.js": Text.statusScript,
            "AASAServer/Site/well-known.json": Text.wellKnown,
        ]
        for (path, text) in files {
            let file = Fixtures.packageRoot.appendingPathComponent("Sources/\(path)")
            expectEqual(text.bytes, Array(try Data(contentsOf: file)), "\(path)")
            expectEqual(Array(text.string.utf8), text.bytes, "\(path)")
        }
    }
}
