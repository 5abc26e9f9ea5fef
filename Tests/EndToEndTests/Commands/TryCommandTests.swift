// Covers: Version.swift

import Foundation
import TestSupport
import Testing

@Suite struct TryCommandTests {
    @Test func namesWhatItIsMadeOf() throws {
        let version = try Tool.aasa(["--version"])
        expectEqual(version.status, 0)
        #expect(
            version.stdout.wholeMatch(
                of: /aasa \d+\.\d+\.\d+ \((commit [\w-]+, )?OpenSSL 3.*, nghttp2 1\..*\)\n/) != nil,
            "\(version)")
    }
}
