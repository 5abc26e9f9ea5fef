import ArgumentParser
import OpenSSL

/// Whom to trust for the chain of a signed file: the option of every command that reads one.
struct SignerOptions: ParsableArguments {
    @Option(
        help: .value("file", "Trust the certificates in this PEM file as well."))
    var cacert: String?

    /// Its name until 1.1; accepted for one release.
    @Option(help: .hidden) var cafile: String?

    var authority: String? { cacert ?? cafile }

    /// - Throws: if the PEM file cannot be used.
    func checkAuthorities() throws {
        guard let authority else { return }
        _ = try Certificate.load(pem: try InputFile.read(authority), name: authority)
    }
}
