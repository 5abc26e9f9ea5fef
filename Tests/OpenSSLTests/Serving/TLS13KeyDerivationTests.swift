import COpenSSL
import TestSupport
import Testing

@testable import OpenSSL

/// What of the algorithm is answered here and what by OpenSSL, beside OpenSSL's own.
@Suite struct TLS13KeyDerivationTests {
    /// A context of the algorithm in a library, with parameters by name.
    private final class Derivation {
        private let algorithm: OpaquePointer
        let context: OpaquePointer
        private var kept: [UnsafeMutableRawPointer] = []

        init(_ purpose: TLSLibrary.Purpose) throws {
            let library = try TLSLibrary(for: purpose)
            let found = EVP_KDF_fetch(library.handle, TLS13KeyDerivation.name, nil)
            algorithm = try #require(found)
            context = try #require(EVP_KDF_CTX_new(algorithm))
        }

        deinit {
            EVP_KDF_CTX_free(context)
            EVP_KDF_free(algorithm)
            for pointer in kept { pointer.deallocate() }
        }

        private func keep(_ bytes: [UInt8]) -> UnsafeMutableRawPointer {
            let pointer = UnsafeMutableRawPointer.allocate(
                byteCount: max(1, bytes.count), alignment: 8)
            pointer.copyMemory(from: bytes, byteCount: bytes.count)
            kept.append(pointer)
            return pointer
        }

        private func text(_ text: String) -> UnsafeMutablePointer<CChar> {
            keep(Array(text.utf8) + [0]).assumingMemoryBound(to: CChar.self)
        }

        func parameters(
            key: [UInt8], label: String, digest: String = "SHA2-256",
            mode number: Int = Int(EVP_KDF_HKDF_MODE_EXPAND_ONLY)
        ) -> [OSSL_PARAM] {
            let fields: [(String, [UInt8])] = [
                ("key", key), ("prefix", Array("tls13 ".utf8)), ("label", Array(label.utf8)),
            ]
            return [
                mode(number),
                OSSL_PARAM_construct_utf8_string(text("digest"), text(digest), 0),
            ]
                + fields.map {
                    OSSL_PARAM_construct_octet_string(text($0), keep($1), $1.count)
                } + [OSSL_PARAM_construct_end()]
        }

        private func mode(_ number: Int) -> OSSL_PARAM {
            let mode = withUnsafeBytes(of: Int32(number)) { Array($0) }
            return OSSL_PARAM_construct_int(
                text("mode"), keep(mode).assumingMemoryBound(to: Int32.self))
        }

        /// nil: refused.
        func derive(_ parameters: [OSSL_PARAM]?, count: Int = 32) -> [UInt8]? {
            var output = [UInt8](repeating: 0, count: count)
            let done =
                if let parameters {
                    EVP_KDF_derive(context, &output, count, parameters)
                } else {
                    EVP_KDF_derive(context, &output, count, nil)
                }
            ERR_clear_error()
            return done == 1 ? output : nil
        }
    }

    private let key = (0..<32).map { UInt8($0) }

    /// RFC 8446 section 7.1: the label is told apart, and the length is part of it.
    @Test func `Each question of one context has its own answer`() throws {
        let (ours, theirs) = (try Derivation(.serving), try Derivation(.everything))
        var answers: Set<[UInt8]> = []
        for (label, count) in [("key", 16), ("iv", 12), ("finished", 32), ("key", 32)] {
            let answer = ours.derive(ours.parameters(key: key, label: label), count: count)
            let wanted = theirs.derive(theirs.parameters(key: key, label: label), count: count)
            #expect(answer != nil && answer == wanted, "\(label)")
            if let answer { answers.insert(answer) }
        }
        expectEqual(answers.count, 4)
    }

    @Test func `Other digests are OpenSSL's to answer`() throws {
        let (ours, theirs) = (try Derivation(.serving), try Derivation(.everything))
        let long = key + Array(repeating: 9, count: 16)
        let answer = ours.derive(
            ours.parameters(key: long, label: "key", digest: "SHA2-384"), count: 48)
        let wanted = theirs.derive(
            theirs.parameters(key: long, label: "key", digest: "SHA2-384"), count: 48)
        #expect(answer != nil && answer == wanted)
        // Both in one context, one behind the other.
        let next = ours.derive(ours.parameters(key: key, label: "iv"), count: 12)
        expectEqual(next, theirs.derive(theirs.parameters(key: key, label: "iv"), count: 12))
    }

    @Test func `What was set before counts, until it is reset`() throws {
        for purpose in [TLSLibrary.Purpose.serving, .everything] {
            let derivation = try Derivation(purpose)
            let parameters = derivation.parameters(key: key, label: "key")
            let answer = derivation.derive(parameters)
            EVP_KDF_CTX_reset(derivation.context)
            expectEqual(EVP_KDF_CTX_set_params(derivation.context, parameters), 1)
            expectEqual(derivation.derive(nil), answer)
            expectEqual(derivation.derive(nil), answer, "again")
            EVP_KDF_CTX_reset(derivation.context)
            #expect(derivation.derive(nil) == nil)
            expectEqual(derivation.derive(parameters), answer)
        }
    }

    @Test func `It says what it can be told, as OpenSSL does`() throws {
        func names(_ list: UnsafePointer<OSSL_PARAM>?) -> [String] {
            var names: [String] = []
            guard var next = list else { return [] }
            while let name = next.pointee.key {
                names.append(String(cString: name))
                next += 1
            }
            return names
        }
        let (ours, theirs) = (try Derivation(.serving), try Derivation(.everything))
        let settable = names(EVP_KDF_CTX_settable_params(ours.context))
        #expect(settable.contains("label") && settable.contains("prefix"))
        expectEqual(settable, names(EVP_KDF_CTX_settable_params(theirs.context)))
        let gettable = names(EVP_KDF_CTX_gettable_params(ours.context))
        #expect(!gettable.isEmpty)
        expectEqual(gettable, names(EVP_KDF_CTX_gettable_params(theirs.context)))
        expectEqual(
            EVP_KDF_CTX_get_kdf_size(ours.context), EVP_KDF_CTX_get_kdf_size(theirs.context))
    }

    @Test func `Without a key nothing is derived`() throws {
        for purpose in [TLSLibrary.Purpose.serving, .everything] {
            let derivation = try Derivation(purpose)
            #expect(derivation.derive(nil) == nil)
            #expect(derivation.derive([OSSL_PARAM_construct_end()]) == nil)
        }
    }

    @Test func `Algorithms beside it are the default provider's, each of them`() throws {
        var next = try #require(TLS13KeyDerivation.algorithms)
        var names: [String] = []
        while next.pointee.algorithm_names != nil {
            names.append(ProviderTables.name(of: next.pointee))
            next += 1
        }
        expectEqual(
            names, ProviderTables.algorithms(of: OSSL_OP_KDF)?.map(ProviderTables.name(of:)))
        #expect(names.contains(TLS13KeyDerivation.name))
    }
}
