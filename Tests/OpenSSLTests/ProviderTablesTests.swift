import COpenSSL
import TestSupport
import Testing

@testable import OpenSSL

@Suite struct ProviderTablesTests {
    private func algorithm(_ names: String, of operation: Int32) throws -> OSSL_ALGORITHM {
        try #require(
            ProviderTables.algorithms(of: operation)?
                .first { ProviderTables.name(of: $0) == names })
    }

    @Test func `The default provider's algorithms are listed to their end, by their first name`()
        throws
    {
        let digests = try #require(ProviderTables.algorithms(of: OSSL_OP_DIGEST))
        let names = digests.map(ProviderTables.name(of:))
        #expect(names.contains("SHA2-256") && names.contains("SHA1"))
        #expect(names.allSatisfy { !$0.isEmpty && !$0.contains(":") })
        // Everything that the library can do by itself.
        for name in names {
            let found = EVP_MD_fetch(nil, name, "provider=default")
            #expect(found != nil, "\(name)")
            EVP_MD_free(found)
        }
        #expect(ProviderTables.algorithms(of: 9999) == nil)
    }

    @Test func `An algorithm without names or functions is empty`() {
        expectEqual(ProviderTables.name(of: OSSL_ALGORITHM()), "")
        #expect(ProviderTables.functions(in: nil).isEmpty)
    }

    @Test func `The functions of an algorithm are listed to their end`() throws {
        let functions = ProviderTables.functions(
            in: try algorithm("X25519", of: OSSL_OP_KEYMGMT).implementation)
        let numbers = functions.map(\.function_id)
        #expect(numbers.contains(OSSL_FUNC_KEYMGMT_NEW) && numbers.contains(OSSL_FUNC_KEYMGMT_GEN))
        #expect(Set(numbers).count == numbers.count && !numbers.contains(0))
        #expect(functions.allSatisfy { $0.function != nil })
    }

    private static let replacement: @convention(c) () -> Void = {}

    /// Names and functions of a table.
    private func entries(_ list: [OSSL_ALGORITHM]) -> [[String: [Int]]] {
        list.map { algorithm in
            [
                ProviderTables.name(of: algorithm):
                    ProviderTables.functions(in: algorithm.implementation).map {
                        unsafeBitCast($0.function, to: Int.self)
                    }
            ]
        }
    }

    @Test func `One function of one algorithm is replaced, and all else stays`() throws {
        let operation = OSSL_OP_KEYMGMT
        var next = try #require(
            ProviderTables.algorithms(
                of: operation, replacing: "X25519", by: [OSSL_FUNC_KEYMGMT_GEN: Self.replacement]))
        var changed: [OSSL_ALGORITHM] = []
        while next.pointee.algorithm_names != nil {
            changed.append(next.pointee)
            next += 1
        }
        let before = entries(try #require(ProviderTables.algorithms(of: operation)))
        let after = entries(changed)
        expectEqual(before.map(\.keys), after.map(\.keys))
        let differing = zip(before, after).filter { $0 != $1 }
        expectEqual(differing.count, 1)
        let (old, new) = try #require(differing.first)
        let pairs = zip(try #require(old["X25519"]), try #require(new["X25519"]))
        expectEqual(
            pairs.filter { $0 != $1 }.map(\.1), [unsafeBitCast(Self.replacement, to: Int.self)])
        #expect(
            ProviderTables.algorithms(
                of: 9999, replacing: "X25519", by: [1: Self.replacement]) == nil)
    }

    @Test func `A function is found by its number, algorithm and operation`() {
        typealias Function = @convention(c) () -> Void
        func find(_ number: Int32, _ name: String) -> Function? {
            ProviderTables.function(
                number, of: name, for: OSSL_OP_KEYMGMT, as: Function.self)
        }
        #expect(find(OSSL_FUNC_KEYMGMT_GEN, "X25519") != nil)
        #expect(find(9999, "X25519") == nil)
        #expect(find(OSSL_FUNC_KEYMGMT_GEN, "none") == nil)
    }

    @Test func `A table stays as it was made`() {
        let list = (0..<100).map { UInt32($0) }
        let table = ProviderTables.permanent(list)
        defer { table.deallocate() }
        expectEqual((0..<100).map { table[$0] }, list)
    }

    /// Never freed, like those of the product.
    nonisolated(unsafe) private static let another = ProviderTables.makeOriginal(alsoNamed: "test")

    /// From OpenSSL 3.4 a generator looks for its cipher in the provider that it came from.
    @Test func `One more default provider can do what it is asked for by name`() throws {
        let provider = try #require(Self.another)
        var noCache: Int32 = 0
        #expect(OSSL_PROVIDER_query_operation(provider, OSSL_OP_RAND, &noCache) != nil)
        expectEqual(String(cString: OSSL_PROVIDER_get0_name(provider)), "default")
    }

    /// What our providers answer themselves, they answer in the words of the default one.
    @Test(arguments: [TLSLibrary.Purpose.serving, .loadTests])
    func `A library with our provider knows the groups of TLS`(
        purpose: TLSLibrary.Purpose
    ) throws {
        for group in ["X25519", "P-256"] {
            var client = TLSPairing.reporting
            client.offer.groups = group
            let pair = try TLSPairing(
                server: TLSContext(
                    role: .server(TLSPairing.settings()), library: TLSLibrary(for: .serving)),
                clientContext: TLSContext(role: .client(client), library: TLSLibrary(for: purpose)))
            let ends = pair.handshake()
            #expect(ends.client.isDone && ends.server.isDone, "\(group): \(ends)")
        }
    }
}
