import TestSupport
import Testing

@testable import AASAStorm

@Suite struct StormContentTests {
    private static let known = Array("the document".utf8)

    /// In whatever pieces it comes.
    @Test(arguments: [1, 2, 5, 12, 40]) func isWhatWasReceived(size: Int) {
        for text in ["the document", "the docu", "", "the document, and more", "another", "thX"] {
            var content = StormContent(known: Self.known)
            var rest = Array(text.utf8)[...]
            while !rest.isEmpty {
                Array(rest.prefix(size)).withUnsafeBytes { content.append($0) }
                rest = rest.dropFirst(size)
            }
            expectEqual(content.bytes, Array(text.utf8), "\(text) in pieces of \(size)")
        }
    }

    /// Fifteen thousand devices that receive 120 KB at once must not need two gigabytes.
    @Test func holdsNoCopyOfWhatIsKnown() {
        var content = StormContent(known: Self.known)
        Self.known.withUnsafeBytes { content.append($0) }
        let same = content.bytes.withUnsafeBufferPointer { $0.baseAddress }
        expectEqual(same, Self.known.withUnsafeBufferPointer { $0.baseAddress })
    }
}
