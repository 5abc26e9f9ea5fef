import Foundation
import TestSupport
import Testing

/// What the fuzzers of documents start from, and what they once broke, through the same functions.
@Suite struct DocumentFuzzReplayTests {
    private func replay(_ target: String, _ body: (UnsafePointer<UInt8>, Int) -> CInt) throws {
        var count = 0
        for kind in ["Corpus", "FailCases"] {
            let folder = Fixtures.packageRoot.appendingPathComponent("Tests/Fuzz/\(kind)/\(target)")
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
        #expect(count > 5, "the corpus of \(target) is not where it should be")
    }

    @Test func json() throws { try replay("FuzzJSON", fuzzJSON) }
    @Test func entitlements() throws { try replay("FuzzEntitlements", fuzzEntitlements) }

    @Test func publishedFiles() throws {
        for (folder, body) in [("aasa", fuzzJSON), ("entitlements", fuzzEntitlements)] {
            for file in Corpus.files(in: folder) {
                let bytes = [UInt8](try Data(contentsOf: file))
                bytes.withUnsafeBufferPointer { buffer in
                    if let start = buffer.baseAddress { _ = body(start, buffer.count) }
                }
            }
        }
    }
}
