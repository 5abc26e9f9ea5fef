import COpenSSL
import TestSupport
import Testing

@testable import OpenSSL

@Suite struct OpenSSLErrorTests {
    /// Leaves one entry in this thread's queue, with the name in its text.
    private func fail(_ name: String) {
        #expect(EVP_CIPHER_fetch(nil, name, nil) == nil)
    }

    init() { ERR_clear_error() }

    @Test func `It takes the whole queue, oldest first`() {
        fail("first")
        fail("second")
        let error = OpenSSLError(doing: "trying", remedy: "Try again.")
        let reasons = error.cause.dropFirst("trying: ".count).split(separator: "; ")
        expectEqual(reasons.count, 2)
        expectEqual(reasons.first?.contains("first"), true)
        expectEqual(reasons.last?.contains("second"), true)
        expectEqual(ERR_peek_error(), 0)
        #expect(OpenSSLError.drain().isEmpty)
    }

    @Test func `It says what was done, why it failed, and what to do`() {
        fail("nope")
        let error = OpenSSLError(doing: "loading k.pem", remedy: "Take another.")
        #expect(error.cause.hasPrefix("loading k.pem: unsupported ("))
        #expect(error.cause.contains("nope") && error.cause.hasSuffix(")"))
        expectEqual(error.description, error.cause + ". Take another.")
        expectEqual(OpenSSLError(doing: "x").description, "x: failed")
    }

    @Test func `Entries are told one behind the other`() {
        fail("a")
        fail("b")
        let parts = OpenSSLError(doing: "x").cause.dropFirst("x: ".count)
            .split(separator: "; ")
        #expect(parts.count == 2 && parts.allSatisfy { $0.hasPrefix("unsupported (") })
    }

    /// OpenSSL may have left entries of something that was got over.
    @Test func `What we found ourselves leaves the queue alone`() {
        fail("kept")
        let error = OpenSSLError(cause: "the key is missing", remedy: nil)
        expectEqual("\(error)", "the key is missing")
        expectEqual(OpenSSLError.drain().count, 1)
        expectEqual("\(OpenSSLError(cause: "a", remedy: "B."))", "a. B.")
    }

    @Test func `A code without words is its number`() {
        expectEqual(OpenSSLError.reasonText(0xFFF_FFFF), "error \(0xFFF_FFFF)")
    }
}
