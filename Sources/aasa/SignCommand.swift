import AASAServer
import AppSiteAssociation
import ArgumentParser
import OpenSSL
import Reactor

struct SignCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sign",
        abstract: "Put a document into the signed (CMS) form that iOS 8 asks for.",
        discussion: """
            Writes DER: the document byte for byte, the signature (SHA-256, no attributes) and the \
            signer's intermediates. Sign with the TLS certificate of the host. The signed file dies \
            with that certificate: `aasa serve` signs again by itself after each renewal \
            (host.json, form: signed or auto). Exit status 1: signed, and devices refuse it, as the \
            certificate has ended, does not cover the host, or its chain is incomplete.

              aasa sign apple-app-site-association --certs certs --host example.com > signed
              aasa build site/example.com | aasa sign --key privkey.pem --signer fullchain.pem > signed
            """)

    @Argument(help: "The document; `-` or nothing for standard input.")
    var file: String = "-"

    @Option(help: "The signer's private key, PEM, without passphrase.")
    var key: String?
    @Option(help: "The signer's certificate, PEM; its chain may follow in the same file.")
    var signer: String?
    @Option(help: "The intermediates, PEM, when they are not in the signer's file.")
    var chain: String?

    @Option(help: "The folder with one folder per host. Environment: AASA_CERTS.")
    var certs: String?
    @Option(help: "The host whose certificate in --certs signs; the RSA one, where there is one.")
    var host: String?

    @Option(help: "Where to write; replaced whole or not at all. Default: standard output.")
    var output: String?

    func validate() throws {
        let byFiles = key != nil || signer != nil || chain != nil
        if byFiles {
            guard key != nil, signer != nil else {
                throw ValidationError("--key and --signer belong together")
            }
            guard certs == nil, host == nil else {
                throw ValidationError("either --key and --signer, or --certs and --host")
            }
        } else if host == nil {
            throw ValidationError("say who signs: --certs DIR --host HOST, or --key F --signer F")
        }
    }

    func run() throws {
        let document = try InputFile.read(file)
        do {
            _ = try JSONReader.read(SourceText(name: file, bytes: document))
        } catch {
            let place = "\(error.position.line):\(error.position.column)"
            Terminal.note("aasa: warning: \(file):\(place): \(error.message); signed all the same")
        }
        do {
            let pair = try findPair()
            let isRefused = warn(about: pair)
            let signed = try CMSSigner.sign(document, with: pair)
            if signed.count > CMSReport.greatest {
                Terminal.note(
                    "aasa: warning: signed, the document has \(signed.count) bytes; "
                        + "\(CMSReport.greatest) are read at most")
            }
            if let output {
                try FileReplacement.replace(output, with: signed, mode: .exactly(0o644))
            } else if StandardStream.output.isTerminal {
                throw CommandError(
                    "the signed form is binary and does not belong on a terminal",
                    remedy: "add --output FILE, or redirect", status: .usage)
            } else {
                Terminal.writeExactly(signed)
            }
            if isRefused { throw ExitStatus.findings }
        } catch let error as OpenSSLError {
            throw CommandError(error)
        } catch let error as FileError {
            throw CommandError("\(error)")
        }
    }

    private func findPair() throws -> CertificatePair {
        if let key, let signer {
            var pem = try InputFile.read(signer)
            if let chain { pem += [0x0a] + (try InputFile.read(chain)) }
            var keyBytes = try InputFile.read(key)
            defer { for index in keyBytes.indices { keyBytes[index] = 0 } }
            return try CertificatePair.load(
                chainPEM: pem, keyPEM: keyBytes, chainName: signer, keyName: key)
        }
        let variable = CurrentProcess.variable("AASA_CERTS")
        let folder = CertificateFolder(path: certs ?? variable ?? "certs")
        let found = folder.load(host ?? "")
        // RSA first: the devices that need the signed form are of 2014.
        guard let pair = found.pairs.last else {
            throw CommandError(found.failures.joined(separator: "; "))
        }
        for failure in found.failures { Terminal.note("aasa: warning: \(failure)") }
        return pair
    }

    /// - Returns: whether devices refuse what the pair signs.
    private func warn(about pair: CertificatePair) -> Bool {
        let hosts = host.map { [$0] } ?? []
        let problems = pair.problems(for: hosts, at: WallClock.seconds)
        for problem in problems {
            let kind = problem.severity == .error ? "error" : "warning"
            Terminal.note("aasa: \(kind): \(problem)")
        }
        return problems.contains { $0.severity == .error }
    }
}
