import COpenSSL
import TestSupport
import Testing

@testable import OpenSSL

/// What the server's derivation says beside OpenSSL's own, asked in the same words.
@Suite struct DerivationRequestTests {
    private struct Question {
        var mode = Int32(EVP_KDF_HKDF_MODE_EXPAND_ONLY)
        var digest = "SHA2-256"
        /// Names and values, in their order.
        var fields: [(name: String, bytes: [UInt8])] = []
        var count = 32
    }

    /// The answer of a library; nil: it refuses.
    private func ask(_ library: TLSLibrary, _ question: Question) throws -> [UInt8]? {
        let found = EVP_KDF_fetch(library.handle, "TLS13-KDF", nil)
        let algorithm = try #require(found)
        defer { EVP_KDF_free(algorithm) }
        let context = try #require(EVP_KDF_CTX_new(algorithm))
        defer { EVP_KDF_CTX_free(context) }
        var mode = question.mode
        var output = [UInt8](repeating: 0xAA, count: question.count)
        var kept: [UnsafeMutableRawPointer] = []
        defer { for pointer in kept { pointer.deallocate() } }
        func keep(_ bytes: [UInt8]) -> UnsafeMutableRawPointer {
            let pointer = UnsafeMutableRawPointer.allocate(
                byteCount: max(1, bytes.count), alignment: 1)
            pointer.copyMemory(from: bytes, byteCount: bytes.count)
            kept.append(pointer)
            return pointer
        }
        func name(_ text: String) -> UnsafePointer<CChar> {
            UnsafePointer(
                keep(Array(text.utf8) + [0]).assumingMemoryBound(to: CChar.self))
        }
        let done = withUnsafeMutablePointer(to: &mode) { mode in
            var parameters = [OSSL_PARAM_construct_int(name("mode"), mode)]
            let digest = keep(Array(question.digest.utf8) + [0])
                .assumingMemoryBound(to: CChar.self)
            parameters.append(OSSL_PARAM_construct_utf8_string(name("digest"), digest, 0))
            for field in question.fields {
                parameters.append(
                    OSSL_PARAM_construct_octet_string(
                        name(field.name), keep(field.bytes), field.bytes.count))
            }
            parameters.append(OSSL_PARAM_construct_end())
            return EVP_KDF_derive(context, &output, output.count, parameters)
        }
        // A context that was reset knows nothing any more.
        EVP_KDF_CTX_reset(context)
        var more = output
        #expect(EVP_KDF_derive(context, &more, more.count, nil) != 1)
        ERR_clear_error()
        return done == 1 ? output : nil
    }

    private func bytes(_ hex: String) -> [UInt8] {
        let digits = hex.filter { !$0.isWhitespace }.compactMap { $0.hexDigitValue }
        return stride(from: 0, to: digits.count, by: 2).map { (index: Int) -> UInt8 in
            UInt8(digits[index] * 16 + digits[index + 1])
        }
    }

    /// RFC 8448 section 3: the early secret, and the handshake secret behind it.
    @Test func saysWhatTheStandardSays() throws {
        let library = try TLSLibrary(for: .serving)
        let text: [(name: String, bytes: [UInt8])] = [
            ("prefix", Array("tls13 ".utf8)), ("label", Array("derived".utf8)),
        ]
        let extract = Int32(EVP_KDF_HKDF_MODE_EXTRACT_ONLY)
        let early = bytes("33ad0a1c607ec03b09e6cd9893680ce210adf300aa1f2660e1b22e10f170f92a")
        try expectEqual(ask(library, Question(mode: extract, fields: text)), early)
        let shared = bytes("8bd4054fb55b9d63fdfbacf9f04b9f0d35e6d63f537563efd46272900f89492d")
        let fields = [("key", shared), ("salt", early)] + text
        try expectEqual(
            ask(library, Question(mode: extract, fields: fields)),
            bytes("1dc826e93606aa6fdc0aadc12f741b01046aa6b99f691ed221a9f0ca043fbeac"))
    }

    /// Sizes and fields that TLS asks for, and those that it does not: the same answer or refusal.
    @Test func saysWhatOpenSSLSays() throws {
        let ours = try TLSLibrary(for: .serving)
        let theirs = try TLSLibrary()
        var random = SystemRandomNumberGenerator()
        let sizes = [0, 1, 12, 16, 31, 32, 33, 48, 64, 65, 97]
        var answers = 0
        for _ in 0..<1500 {
            var question = Question()
            question.mode = [0, 1, 1, 1, 2, 2, 2, 3].randomElement(using: &random) ?? 1
            question.digest =
                ["SHA2-256", "SHA256", "SHA2-384", "SHA1", "none"]
                .randomElement(using: &random) ?? ""
            if Bool.random(using: &random) { question.digest = "SHA2-256" }
            question.count = [1, 12, 16, 31, 32, 32, 32, 33, 48, 64].randomElement() ?? 32
            for name in ["key", "salt", "prefix", "label", "data"].shuffled(using: &random)
            where Int.random(in: 0..<5, using: &random) > 0 {
                let size =
                    name == "label"
                    ? Int.random(in: 1...20, using: &random)
                    : name == "prefix"
                        ? 6 : Bool.random() ? 32 : sizes.randomElement(using: &random) ?? 32
                question.fields.append(
                    (name, (0..<size).map { _ in UInt8.random(in: 0...255, using: &random) }))
            }
            let wanted = try ask(theirs, question)
            if wanted != nil { answers += 1 }
            try expectEqual(ask(ours, question), wanted, "\(question)")
        }
        #expect(answers > 200)
    }
}
