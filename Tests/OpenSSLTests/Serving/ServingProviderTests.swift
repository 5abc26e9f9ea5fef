import COpenSSL
import TestSupport
import Testing

@testable import OpenSSL

@Suite struct ServingProviderTests {
    /// A new key of a kind that needs no parameters, in the library.
    private func make(
        _ name: String, in library: TLSLibrary, setting parameters: [OSSL_PARAM]? = nil
    ) throws -> OpaquePointer {
        let made = EVP_PKEY_CTX_new_from_name(library.handle, name, nil)
        let context = try #require(made)
        defer { EVP_PKEY_CTX_free(context) }
        expectEqual(EVP_PKEY_keygen_init(context), 1)
        if let parameters { expectEqual(EVP_PKEY_CTX_set_params(context, parameters), 1) }
        var key: OpaquePointer?
        expectEqual(EVP_PKEY_generate(context, &key), 1)
        return try #require(key)
    }

    private func publicBytes(_ key: OpaquePointer) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: 64)
        var count = bytes.count
        expectEqual(EVP_PKEY_get_raw_public_key(key, &bytes, &count), 1)
        return Array(bytes[..<count])
    }

    private func privateBytes(_ key: OpaquePointer) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: 64)
        var count = bytes.count
        expectEqual(EVP_PKEY_get_raw_private_key(key, &bytes, &count), 1)
        return Array(bytes[..<count])
    }

    /// A reserve of the thread while `body` runs.
    private func withReserve(
        _ pairs: Int, _ body: (EphemeralKeyPool, TLSLibrary) throws -> Void
    ) throws {
        let memory = UnsafeMutableRawBufferPointer.allocate(
            byteCount: EphemeralKeyPool.bytesOfHead + pairs * EphemeralKeyPool.bytesPerPair,
            alignment: 16)
        memory.initializeMemory(as: UInt8.self, repeating: 0)
        defer { memory.deallocate() }
        let library = try TLSLibrary(for: .serving)
        let context = try TLSContext(role: .server(TLSPairing.settings()), library: library)
        let reserve = try #require(EphemeralKeyPool(for: context, in: memory))
        reserve.serveThread()
        defer { reserve.stopServing() }
        #expect(reserve.make(pairs))
        try body(reserve, library)
    }

    @Test func `The default provider's functions are found`() {
        #expect(X25519Functions.original != nil)
    }

    @Test func `Whoever has no reserve gets a new key each time`() throws {
        let library = try TLSLibrary(for: .serving)
        let keys = try (0..<4).map { _ in try make("X25519", in: library) }
        defer { for key in keys { EVP_PKEY_free(key) } }
        expectEqual(Set(keys.map(publicBytes)).count, 4)
        expectEqual(Set(keys.map(privateBytes)).count, 4)
    }

    /// The public half is the private one's: what a peer agrees on with it is the same.
    @Test func `A key of the reserve is a whole key, and its own`() throws {
        try withReserve(3) { reserve, library in
            let keys = try (0..<3).map { _ in try make("X25519", in: library) }
            defer { for key in keys { EVP_PKEY_free(key) } }
            #expect(reserve.count == 0 && reserve.takenCount == 3)
            expectEqual(Set(keys.map(publicBytes)).count, 3)
            for key in keys {
                let half = privateBytes(key)
                let read = EVP_PKEY_new_raw_private_key_ex(nil, "X25519", nil, half, half.count)
                let again = try #require(read)
                defer { EVP_PKEY_free(again) }
                expectEqual(publicBytes(again), publicBytes(key))
            }
        }
    }

    /// As TLS 1.2 asks: the group once more (`OSSL_PKEY_PARAM_GROUP_NAME`).
    @Test func `Whoever names the group alone is served as well`() throws {
        try withReserve(1) { reserve, library in
            var group = Array("X25519".utf8CString)
            var name = Array("group".utf8CString)
            let key = try group.withUnsafeMutableBufferPointer { group in
                try name.withUnsafeMutableBufferPointer { name in
                    try make(
                        "X25519", in: library,
                        setting: [
                            OSSL_PARAM_construct_utf8_string(
                                name.baseAddress, group.baseAddress, 0),
                            OSSL_PARAM_construct_end(),
                        ])
                }
            }
            defer { EVP_PKEY_free(key) }
            expectEqual(reserve.count, 0)
        }
    }

    @Test func `Other kinds of keys are the default provider's`() throws {
        try withReserve(1) { reserve, library in
            for name in ["X448", "ED25519", "ED448"] {
                EVP_PKEY_free(try make(name, in: library))
            }
            expectEqual(reserve.count, 1)
        }
    }

    /// Reads, signs and derives as OpenSSL itself does.
    @Test func `Everything that a server does it can do`() throws {
        let library = try TLSLibrary(for: .serving)
        for pair in [TestCertificates.ecdsa, TestCertificates.rsa] {
            let key = try pair.key.copy(into: library)
            #expect(key.matches(pair.leaf))
        }
        for (name, fetch, free) in [
            ("AES-128-GCM", { EVP_CIPHER_fetch($0, $1, nil) }, { EVP_CIPHER_free($0) }),
            ("SHA2-256", { EVP_MD_fetch($0, $1, nil) }, { EVP_MD_free($0) }),
            ("HKDF", { EVP_KDF_fetch($0, $1, nil) }, { EVP_KDF_free($0) }),
            ("HMAC", { EVP_MAC_fetch($0, $1, nil) }, { EVP_MAC_free($0) }),
            ("TLS13-KDF", { EVP_KDF_fetch($0, $1, nil) }, { EVP_KDF_free($0) }),
        ] as [(String, (OpaquePointer, String) -> OpaquePointer?, (OpaquePointer?) -> Void)] {
            let found = fetch(library.handle, name)
            #expect(found != nil, "\(name)")
            free(found)
        }
    }
}
