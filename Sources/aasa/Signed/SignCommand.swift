import AASAServer
import AppSiteAssociation
import ArgumentParser
import OpenSSL
import Reactor

struct SignCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sign",
        abstract: "Sign a document (CMS) for iOS 8.",
        discussion: """
            Writes DER: the unchanged document, the signature (SHA-256) and the intermediates. Sign with \
            the TLS certificate of the host. The signed file is worthless once that certificate expires; \
            aasa serve signs again automatically (host.json, form: signed or auto).

            Exit status: 0 signed; 1 signed, but devices refuse it: the certificate has expired, does not \
            cover the host or lacks its chain, or the document is not JSON or too large. If the input is \
            empty or already signed, nothing is written, with status 1.

              aasa sign apple-app-site-association --certs certs --host example.com > signed
              aasa build site/example.com | aasa sign --key key.pem --signer c.pem > file
            """)

    @Argument(help: "The document; `-` or nothing for standard input.")
    var file: String = "-"

    @Option(help: "The signer's private key, PEM, without passphrase.")
    var key: String?
    @Option(help: "The signer's certificate, PEM; its chain may follow in the same file.")
    var signer: String?
    @Option(help: "The intermediates, PEM, if they are not in the signer's file.")
    var chain: String?

    @OptionGroup var option: CertsCommand.FolderOption
    @Option(help: "Sign with this host's certificate in --certs; the RSA one, if there is one.")
    var host: String?

    @Option(help: "Write to this file, atomically. Default: standard output.")
    var output: String?

    func validate() throws {
        let byFiles = key != nil || signer != nil || chain != nil
        if byFiles {
            guard key != nil, signer != nil else {
                throw ValidationError("--key and --signer belong together")
            }
            guard option.certs == nil, host == nil else {
                throw ValidationError("either --key and --signer, or --certs and --host")
            }
        } else if host == nil {
            throw ValidationError("say who signs: --certs DIR --host HOST, or --key F --signer F")
        }
        if let host { _ = try HostArgument.name(host, "--host") }
    }

    func run() throws {
        let document = try InputFile.read(file)
        try requireUnsigned(document)
        if let output {
            let inputs = [file == "-" ? "/dev/stdin" : file, key, signer, chain]
            try FileReplacement.check(output, sparing: inputs.compactMap { $0 })
        }
        let isDocument = warn(about: document)
        let pair = try findPair()
        let isRefused = warn(about: pair) || !isDocument
        let signed = try CMSSigner.sign(document, with: pair)
        let isTooLarge = signed.count > CMSReport.greatest
        if isTooLarge {
            Terminal.note(
                "aasa: warning: signed, the document has \(signed.count) bytes; "
                    + "\(CMSReport.greatest) are read at most")
        }
        if let output {
            try FileReplacement.replace(output, with: signed, mode: 0o644)
        } else {
            try Terminal.writeSigned(signed)
        }
        if isRefused || isTooLarge { throw ExitStatus.findings }
    }

    /// - Throws: where nothing is to be signed: what a command that failed left behind, or what was
    ///   signed before.
    private func requireUnsigned(_ document: [UInt8]) throws(CommandError) {
        let place = file == "-" ? "standard input" : file
        if document.isEmpty {
            throw CommandError(
                "it is empty: there is nothing to sign", place: place,
                remedy: "see whether the command before it failed, such as aasa build",
                status: .findings)
        }
        if CMSVerifier.looksSigned(document) {
            throw CommandError(
                "it is signed already, and devices read no signed form inside of another",
                place: place,
                remedy: "sign the document itself: aasa verify \(file) --payload writes it",
                status: .findings)
        }
    }

    /// - Returns: whether devices take the bytes for a document.
    private func warn(about document: [UInt8]) -> Bool {
        let source = SourceText(name: file, bytes: document)
        let refusal: String
        do throws(JSONError) {
            let root = try JSONReader.read(source).root
            if root.members != nil { return true }
            refusal = "\(file): this is \(root.kindName), and a document is an object"
        } catch {
            refusal = "\(file):\(error.position): \(error.message)"
        }
        Terminal.note("aasa: warning: \(refusal). The file is signed anyway.")
        return false
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
        let found = option.folder.load(host ?? "")
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
        // The order of a chain matters to TLS: a signed form holds a set (RFC 5652 section 5.1).
        let problems = pair.problems(for: hosts, at: WallClock.seconds).filter {
            $0.kind != .wrongOrder
        }
        for problem in problems {
            Terminal.note("aasa: \(problem.severity.rawValue): \(problem)")
        }
        // Of the certificates of --certs, aasa certs make has the issuer, and devices trust it.
        if signer != nil, !pair.hasIssuer,
            !problems.contains(where: { $0.kind == .incompleteChain })
        {
            Terminal.note(
                "aasa: warning: the signed form lacks the certificate of \(pair.leaf.summary.issuer), which issued the signer's certificate: devices accept the form only if they trust that issuer themselves"
            )
        }
        return problems.contains { $0.severity == .error }
    }
}
