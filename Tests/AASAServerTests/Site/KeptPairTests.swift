import OpenSSL
import Reactor
import TestSupport
import Testing

@testable import AASAServer

@Suite struct KeptPairTests {
    @Test func itsBytesArePairWhateverBecomesOfTheFiles() throws {
        let fixture = try SiteFixture()
        let pair = try fixture.certify("a.example")
        let files = CertificateFolder(path: fixture.certs).files(of: "a.example")
        let kept = try KeptPair(reading: files)
        try fixture.folder.write("certs/a.example/privkey.pem", "")
        try expectEqual(kept.pair().identity, pair.identity)
        #expect(kept.since == nil && kept.files == files)
        let torn = try KeptPair(reading: files)
        #expect(throws: OpenSSLError.self) { try torn.pair() }
        #expect(torn.chain == kept.chain && torn.key.isEmpty)
        #expect(throws: FileError.self) {
            try KeptPair(reading: .init(chain: files.chain, key: files.key + ".none"))
        }
    }
}
