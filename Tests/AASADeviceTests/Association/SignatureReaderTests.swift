import AASAClient
import AppSiteAssociation
import Foundation
import OpenSSL
import TestSupport
import Testing

@testable import AASADevice

/// The signed form has rules of its own in each era.
@Suite struct SignatureReaderTests {
    private static let app = "D3KQX62K1A.com.example.app"
    private static let direct: [Era] = [.ios8, .ios93, .ios13, .developer]

    /// A signed document with so many bytes, or other content.
    private static func signed(
        _ text: String? = nil, bytes: Int = 0, with pair: CertificatePair
    ) throws -> [UInt8] {
        var document = Array((text ?? "{\"webcredentials\":{\"apps\":[\"\(app)\"]}}").utf8)
        document += Array(repeating: 0x20, count: max(0, bytes - document.count))
        return try CMSSigner.sign(document, with: pair)
    }

    private static func answers(
        _ body: [UInt8], _ eras: [Era] = direct
    ) throws -> [AssociationStateMachine.Answer] {
        let zoo = try ZooCertificates.shared.get()
        return eras.map { era in
            let phone = Device.Settings(
                app: app, era: era,
                signatures: SignedDocument.reader(authorityFile: zoo.authorityFile, now: zoo.now))
            return AnswerEvaluator(phone, service: "webcredentials", host: ZooCertificates.host)
                .content(body, type: "application/pkcs7-mime")
        }
    }

    /// Apple documents DER. That systems refuse BER, or bytes behind the file, is not known.
    @Test func `What is not known to be refused leaves the verdict open`() throws {
        let zoo = try ZooCertificates.shared.get()
        let good = try Self.signed(with: zoo.rsa)
        // The same with a length that is not minimal: DER has three bytes of length here.
        var long = good
        long.replaceSubrange(1...1, with: [0x84, 0, 0])
        for (bytes, code) in [
            (good, nil), (good + [0x0A], CMSFindingCode.trailingBytes), (long, .notDER),
        ] {
            let report = CMSVerifier.verify(
                bytes, host: ZooCertificates.host, trust: .systemAndFile(zoo.authorityFile),
                now: zoo.now)
            expectEqual(report.findings.map(\.code), [code].compactMap { $0 })
            #expect(report.isGood && (report.doubt == nil) == (code == nil))
            #expect(try Self.answers(bytes).allSatisfy { $0 == .associated })
            var exchange = ClientExchange(request: ClientRequest(host: "x.test", target: "/"))
            exchange.body = bytes
            var transcript = Transcript(
                entry: "", service: "webcredentials", host: "x.test", app: "", era: .ios14,
                verdict: .associated)
            transcript.events = [
                .init(
                    time: 0,
                    kind: .asked(Download(exchange: exchange, isSimulated: false), .associated))
            ]
            expectEqual(transcript.doubt, report.doubt)
            expectEqual(transcript.sentence.hasPrefix("not known: "), (code != nil))
        }
    }

    /// The limit is one of iOS 9.3.1 and later, signed or not.
    @Test func `iOS 8 has no limit of size`() throws {
        let zoo = try ZooCertificates.shared.get()
        let large = try Self.signed(bytes: 141_096, with: zoo.rsa)
        let refusal = "the document has \(large.count) bytes; devices read 131,072"
        try expectEqual(
            Self.answers(large),
            [.associated] + Array(repeating: .failed(.other(refusal)), count: 3))
        // The verifier's own verdict stays.
        let report = CMSVerifier.verify(
            large, host: ZooCertificates.host, trust: .systemAndFile(zoo.authorityFile),
            now: zoo.now)
        #expect(!report.isGood && report.findings.map(\.code).contains(.fileTooLarge))
        let small = try Self.signed(bytes: 120_000, with: zoo.rsa)
        #expect(try Self.answers(small).allSatisfy { $0 == .associated })
    }

    /// "A Common Name or Subject Alternative Name": until iOS 12.
    @Test func `A Common Name is enough until iOS 12`() throws {
        let zoo = try ZooCertificates.shared.get()
        let answers = try Self.answers(try Self.signed(with: zoo.nameless))
        #expect(answers.prefix(2).allSatisfy { $0 == .associated })
        for answer in answers.dropFirst(2) {
            guard case .denied(.badSignature(let reason)) = answer else {
                Issue.record("\(answer)")
                continue
            }
            #expect(reason.contains("Common Name"))
        }
        let other = try Self.answers(try Self.signed(with: zoo.wrongName))
        #expect(other.allSatisfy { if case .denied(.badSignature) = $0 { true } else { false } })
    }

    @Test func `Invalid JSON in the signed form is denied`() throws {
        let zoo = try ZooCertificates.shared.get()
        let answers = try Self.answers(try Self.signed("{\"webcredentials\":", with: zoo.rsa))
        #expect(answers.allSatisfy { if case .denied(.unreadable) = $0 { true } else { false } })
    }

    /// OpenSSL signs with both, and later systems read them.
    @Test(arguments: [
        ["-md", "sha3-256"], ["-md", "sha256", "-keyopt", "rsa_padding_mode:pss"],
    ])
    func `iOS 8 does not know newer algorithms`(options: [String]) throws {
        let zoo = try ZooCertificates.shared.get()
        let folder = try TemporaryFolder("algorithms")
        let certificate = try folder.write(
            "chain.pem", zoo.rsa.leaf.pem)
        let key = try folder.write("key.pem", zoo.rsa.key.unencryptedPEM())
        let result = try Tool.run(
            "openssl",
            [
                "cms", "-sign", "-binary", "-nodetach", "-noattr", "-outform", "DER", "-signer",
                certificate, "-inkey", key,
            ] + options,
            stdin: Array("{\"webcredentials\":{\"apps\":[\"\(Self.app)\"]}}".utf8))
        expectEqual(result.status, 0, "\(result)")
        let answers = try Self.answers(result.outputBytes)
        guard case .denied(.badSignature(let reason)) = answers[0] else {
            Issue.record("\(answers[0])")
            return
        }
        #expect(reason.contains("iOS 8 does not support"))
        #expect(answers.dropFirst().allSatisfy { $0 == .associated }, "\(answers)")
    }
}
