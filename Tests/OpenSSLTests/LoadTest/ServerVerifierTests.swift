import Testing

@testable import OpenSSL

// That a good signature is accepted: AASAStormTests/Light, with real handshakes.
@Suite struct ServerVerifierTests {
    private let authority = TestCertificates.authority
    private let pair: CertificatePair

    init() throws {
        pair = try authority.issue(
            names: ["example.com"], key: .ecdsaP256, now: TestCertificates.now,
            life: TestCertificates.life)
    }

    private func proof(
        _ name: String, _ trust: [Certificate]? = nil
    ) throws -> ServerVerifier {
        try ServerVerifier(
            trust: .certificates(trust ?? [authority.pair.leaf]), name: name,
            library: try TLSLibrary(for: .loadTests))
    }

    private var chain: [[UInt8]] { pair.chain.map(\.der) }

    @Test func acceptsAChainForItsName() throws {
        #expect(try proof("example.com").accepts(chain))
        #expect(try !proof("other.example").accepts(chain))
        #expect(try !proof("127.0.0.1").accepts(chain))
    }

    @Test func refusesWhatIsNotTrustedOrNoCertificate() throws {
        let other = try LocalAuthority.make(now: TestCertificates.now)
        #expect(try !proof("example.com", [other.pair.leaf]).accepts(chain))
        #expect(try !proof("example.com").accepts([]))
        #expect(try !proof("example.com").accepts([[1, 2, 3]]))
        #expect(try !proof("example.com").accepts([chain[0], [0x30, 0]]))
    }

    @Test func refusesSignaturesOfNobody() throws {
        let proof = try proof("example.com")
        let content: [UInt8] = [1, 2, 3]
        func verifies(_ signature: [UInt8], _ scheme: UInt16) -> Bool {
            content.withUnsafeBytes { content in
                signature.withUnsafeBytes {
                    proof.verifies($0, by: chain[0], scheme: scheme, of: content)
                }
            }
        }
        for scheme in SignatureScheme.allCases.map(\.rawValue) + [0, 0x0401, 0xFFFF] {
            #expect(!verifies([], scheme))
            #expect(!verifies([0x30, 6, 2, 1, 1, 2, 1, 1], scheme))
            #expect(!verifies([UInt8](repeating: 1, count: 256), scheme))
        }
    }
}
