import AppSiteAssociation
import TestSupport
import Testing

@testable import ACME

@Suite struct AuthoritySessionTests {
    private func session() throws -> AuthoritySession {
        var session = AuthoritySession(url: "https://ca.test/directory")
        session.directory = try Directory(
            JSONReader.read(
                text: """
                    {"newNonce":"https://ca.test/n","newAccount":"https://ca.test/a",
                     "newOrder":"https://ca.test/o"}
                    """
            ).root, url: session.url)
        session.directoryReadAt = 1000
        return session
    }

    /// A clock that was set back does not keep it for ever.
    @Test(
        arguments: [(999, false), (1000, true), (87_399, true), (87_400, false)] as [(Int64, Bool)])
    func `A directory is good for a day`(now: Int64, isFresh: Bool) throws {
        expectEqual((try session().freshDirectory(now: now) != nil), isFresh)
    }

    @Test func `The newest nonces are kept, and each is used once`() throws {
        var session = try session()
        #expect(session.takeNonce() == nil)
        for number in 1...6 { session.keep(nonce: "n\(number)") }
        expectEqual((0..<5).map { _ in session.takeNonce() }, ["n6", "n5", "n4", "n3", nil])
        session.keep(nonce: "old")
        session.dropNonces()
        #expect(session.takeNonce() == nil)
    }

    /// RFC 8555 section 6.5.1.
    @Test func `What is no nonce is not kept`() throws {
        var session = try session()
        for odd in [
            nil, "", "a b", "a+b", "a/b", "a=", "é", "a\r\nb", String(repeating: "a", count: 513),
        ] {
            session.keep(nonce: odd)
            #expect(session.takeNonce() == nil, "\(odd ?? "nil")")
        }
        for good in ["azAZ09-_", String(repeating: "a", count: 512)] {
            session.keep(nonce: good)
            expectEqual(session.takeNonce(), good)
        }
    }
}
