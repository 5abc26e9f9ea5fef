import Foundation
import TestSupport
import Testing

/// What the fuzzers start from, and what they once broke, through the same functions.
struct FuzzReplayTests {
    private func replay(_ target: String, _ body: (UnsafePointer<UInt8>, Int) -> CInt) throws {
        var count = 0
        for kind in ["Corpus", "FailCases"] {
            let folder = Fixtures.packageRoot.appendingPathComponent(
                "Tests/Fuzz/\(kind)/\(target)")
            for file in Fixtures.files(below: folder) {
                let bytes = [UInt8](try Data(contentsOf: file))
                bytes.withUnsafeBufferPointer { buffer in
                    if let start = buffer.baseAddress {
                        #expect(body(start, buffer.count) == 0, "\(file.lastPathComponent)")
                    }
                }
                count += 1
            }
        }
        #expect(count > 10, "the corpus of \(target) is not where it should be")
    }

    @Test func `HTTP1 parsers`() throws { try replay("FuzzHTTP1", fuzzHTTP1) }
    @Test func `HTTP2 sessions`() throws { try replay("FuzzHTTP2", fuzzHTTP2) }
}
