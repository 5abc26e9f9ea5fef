import TestSupport
import Testing

@testable import ACME

@Suite struct CertificateStoreTests {
    /// Whoever looks after a host is asked last: what lies there counts first.
    @Test func `What others look after is left alone where nothing lies`() throws {
        let folder = try TemporaryFolder("store")
        let store = FolderStore(path: folder.path)
        try store.prepare()
        try folder.write("theirs.test/fullchain.pem", "a chain of somebody's")
        let wanted = ["new.test", "covered.test", "theirs.test"].map {
            WantedCertificate(folder: $0, names: [$0])
        }
        let contents = try store.contents(
            of: wanted, covered: ["covered.test": "certbot does", "theirs.test": "x", "other": "y"])
        expectEqual(contents.count, 3)
        expectEqual(contents["new.test"], .empty)
        expectEqual(contents["covered.test"], .foreign("certbot does"))
        guard case .foreign(let why) = contents["theirs.test"] else {
            Issue.record("\(contents)")
            return
        }
        #expect(why != "x")
    }

    /// A holder that waits for one request is still the holder.
    @Test func `A lease outlives its renewal and the longest request`() {
        #expect(LeaseTerms.renewal + 30 < LeaseTerms.seconds)
    }
}
