import OpenSSL
import TestSupport
import Testing

@Suite struct PrivateKeyTests {
    @Test func `Encrypted and damaged keys are refused without asking for anything`() throws {
        let plain = TestCertificates.ecdsa.key.unencryptedPEM()
        let encrypted = try Tool.run(
            "openssl", ["pkcs8", "-topk8", "-passout", "pass:secret"], stdin: plain
        ).outputBytes
        func error(_ bytes: [UInt8]) -> OpenSSLError? {
            do {
                _ = try PrivateKey.load(pem: bytes, name: "k.pem")
                return nil
            } catch { return error }
        }
        expectEqual(error(encrypted)?.cause.contains("passphrase"), true)
        expectEqual(error(encrypted)?.remedy?.contains("openssl pkey"), true)
        #expect(error(Array("nothing".utf8)) != nil)
        #expect(error(Array(plain.dropLast(60))) != nil)
        #expect(error(TestCertificates.ecdsa.leaf.pem) != nil)
        #expect(error(plain) == nil)
        let traditional = try Tool.run(
            "openssl", ["pkey", "-traditional"], stdin: plain
        ).outputBytes
        #expect(error(traditional) == nil)
    }

    /// Half of a renewal, files that were exchanged, another form: each is said.
    @Test func `What is there instead of a key is named`() throws {
        let plain = TestCertificates.ecdsa.key.unencryptedPEM()
        let der = try Tool.run("openssl", ["pkey", "-outform", "DER"], stdin: plain).outputBytes
        let open = try Tool.run("openssl", ["pkey", "-pubout"], stdin: plain).outputBytes
        let crlf = Array(
            String(decoding: open, as: UTF8.self).split(separator: "\n")
                .joined(separator: "\r\n").utf8)
        for (bytes, cause, remedy) in [
            ([], "k.pem is empty", "whole"), (der, "seems to be DER", "-inform DER"),
            (Array("<html>".utf8), "holds no key", "BEGIN PRIVATE KEY"),
            (TestCertificates.ecdsa.leaf.pem, "holds a CERTIFICATE, not", "requested"),
            (open, "holds a PUBLIC KEY, not", "requested"),
            (crlf, "holds a PUBLIC KEY, not", "requested"),
            (Array(plain.dropLast(60)), "reading the private key in k.pem", "PEM"),
        ] as [([UInt8], String, String)] {
            let error = #expect(throws: OpenSSLError.self) {
                try PrivateKey.load(pem: bytes, name: "k.pem")
            }
            expectEqual(error?.cause.contains(cause), true, "\(error?.cause ?? "")")
            expectEqual(error?.remedy?.contains(remedy), true, "\(error?.remedy ?? "")")
        }
    }

    private static let algorithms: [[String]] = [
        ["-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256"],
        ["-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-384"],
        ["-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:2048"],
        ["-algorithm", "ED25519"],
    ]

    /// Whatever the form and whatever stands before it, the key is the one that `openssl pkey`
    /// shows.
    @Test(arguments: algorithms) func everyFormIsTheSameKey(algorithm: [String]) throws {
        let plain = try Tool.run("openssl", ["genpkey"] + algorithm).outputBytes
        // PKCS #1 or SEC 1; Ed25519 has no such form.
        let traditional = try Tool.run("openssl", ["pkey", "-traditional"], stdin: plain)
        let other = traditional.status == 0 ? traditional.outputBytes : plain
        let note = Array("Key of example.com\n\n".utf8)
        let behind = TestCertificates.ecdsa.leaf.pem
        for pem in [plain, other, note + plain, note + other, plain + behind, behind + plain] {
            let key = try PrivateKey.load(pem: pem, name: "k.pem")
            expectEqual(key.unencryptedPEM(), plain)
        }
    }

    /// The first key of a file counts, whichever form it has.
    @Test func theFirstKeyCounts() throws {
        let first = try Tool.run("openssl", ["genpkey"] + Self.algorithms[0]).outputBytes
        let second = TestCertificates.ecdsa.key.unencryptedPEM()
        let traditional = try Tool.run("openssl", ["pkey", "-traditional"], stdin: first)
        for pem in [first + second, traditional.outputBytes + second] {
            try expectEqual(PrivateKey.load(pem: pem, name: "k.pem").unencryptedPEM(), first)
        }
    }

    /// A key that is cut off, or one of its letters another: refused, or still a key; never more.
    @Test func damageIsRefused() {
        let plain = TestCertificates.ecdsa.key.unencryptedPEM()
        for length in 0..<plain.count - 2 {
            #expect(throws: OpenSSLError.self, "\(length)") {
                try PrivateKey.load(pem: Array(plain[..<length]), name: "k.pem")
            }
        }
        for place in plain.indices {
            var damaged = plain
            damaged[place] = damaged[place] == UInt8(ascii: "A") ? UInt8(ascii: "B") : 0x41
            _ = try? PrivateKey.load(pem: damaged, name: "k.pem")
        }
    }
}
