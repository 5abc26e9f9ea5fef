import OpenSSL
import TestSupport

/// The files that the openssl command needs, made once.
enum SigningFiles {
    struct Signer: Sendable {
        let certificate: String
        let key: String
        let chain: String
        let pair: CertificatePair
    }

    static let document = Array(#"{"applinks":{"details":[]}}"#.utf8)
    static let lines = Array("{\n  \"applinks\": {\"details\": []}\n}\n".utf8)

    static let folder: TemporaryFolder = make { try TemporaryFolder("cms") }
    static let root: String = make {
        try folder.write("root.pem", TestCertificates.authority.pair.leaf.pem)
    }
    static let rsa = signer("rsa", TestCertificates.rsa)
    static let ecdsa = signer("ecdsa", TestCertificates.ecdsa)
    static let other = signer("other", TestCertificates.other)

    static func signer(_ name: String, _ pair: CertificatePair) -> Signer {
        make {
            Signer(
                certificate: try folder.write("\(name).pem", pair.leaf.pem),
                key: try folder.write("\(name).key", pair.key.unencryptedPEM()),
                chain: try folder.write(
                    "\(name)-chain.pem", pair.chain.dropFirst().flatMap(\.pem)),
                pair: pair)
        }
    }

    /// `openssl smime -sign` or `cms -sign` with the arguments, the document on stdin.
    static func sign(
        _ arguments: [String], command: String = "smime", by signer: Signer = rsa,
        key: String? = nil, chain: Bool = true, document: [UInt8] = document
    ) throws -> [UInt8] {
        var all = [command, "-sign", "-signer", signer.certificate, "-inkey", key ?? signer.key]
        if chain { all += ["-certfile", signer.chain] }
        let result = try Tool.run("openssl", all + arguments, stdin: document)
        guard result.status == 0 else { throw Tool.Failure(description: "\(result)") }
        return result.outputBytes
    }

    static func verify(
        _ file: [UInt8], host: String? = "example.com", now: Int64 = TestCertificates.now,
        trust: TLSClientSettings.Trust = .certificates([TestCertificates.authority.pair.leaf])
    ) -> CMSReport {
        CMSVerifier.verify(file, host: host, trust: trust, now: now)
    }

    private static func make<T>(_ body: () throws -> T) -> T {
        do {
            return try body()
        } catch {
            fatalError("signing files cannot be made: \(error)")
        }
    }
}
