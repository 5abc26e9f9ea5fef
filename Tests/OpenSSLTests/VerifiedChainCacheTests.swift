import Testing

@testable import OpenSSL

@Suite struct VerifiedChainCacheTests {
    private func context() throws -> TLSContext {
        var settings = TLSClientSettings()
        settings.trust = .certificates([TestCertificates.authority.pair.chain[0]])
        settings.remembersChains = true
        return try TLSContext(role: .client(settings), library: TLSLibrary())
    }

    private func isTrusted(
        _ context: TLSContext, _ pair: CertificatePair, name: String = "example.com"
    ) throws -> Bool {
        let step = try TLSPairing(
            server: TLSPairing.settings([TLSHost(names: ["example.com"], pairs: [pair])]),
            clientContext: context, serverName: name
        ).handshake().client
        if case .done = step { return true }
        return false
    }

    @Test func theSameChainIsVerifiedOnce() throws {
        let context = try context()
        for _ in 0..<3 { #expect(try isTrusted(context, TestCertificates.ecdsa)) }
        #expect(context.chainVerifications == 1)
        // Another chain is another matter.
        #expect(try isTrusted(context, TestCertificates.rsa))
        #expect(context.chainVerifications == 2)
    }

    @Test func whatWasRefusedIsNotRemembered() throws {
        let context = try context()
        for _ in 0..<2 { #expect(try !isTrusted(context, TestCertificates.other)) }
        #expect(context.chainVerifications == 2)
    }

    /// A chain that is good for one name says nothing about another.
    @Test func anotherNameIsVerifiedAgain() throws {
        let context = try context()
        #expect(try isTrusted(context, TestCertificates.ecdsa))
        #expect(try !isTrusted(context, TestCertificates.ecdsa, name: "other.example"))
        #expect(context.chainVerifications == 2)
    }

    @Test func forgetsTheOldest() {
        let memory = VerifiedChainCache()
        let chains = (0...VerifiedChainCache.chainsMaximum).map {
            VerifiedChainCache.Chain(name: [], certificates: [[UInt8($0)]])
        }
        for chain in chains { memory.keep(chain) }
        #expect(!memory.knows(chains[0]))
        #expect(chains.dropFirst().allSatisfy { memory.knows($0) })
    }
}
