import AppSiteAssociation
import ArgumentParser
import OpenSSL

/// How the signer of a file is judged: the options of every command that reads signed files.
struct SignerOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Trust the certificates in this PEM file, beside the machine's, for the chains of "
                + "signed files.", valueName: "file"))
    var cafile: String?

    @Option(
        name: .customLong("at"),
        help: ArgumentHelp(
            "Judge dates as of this moment, such as 2027-06-01T00:00:00Z (default: now).",
            valueName: "time"))
    var moment: String?

    func validate() throws {
        if let moment, seconds == nil {
            throw ValidationError("--at \(moment): write it like 2027-06-01T00:00:00Z")
        }
    }

    /// Seconds since 1970; nil: now.
    var seconds: Int? { moment.flatMap { Timestamp.seconds(rfc3339: $0) } }

    /// - Throws: if the PEM file cannot be used.
    func checkAuthorities() throws {
        guard let cafile else { return }
        let pem = try InputFile.read(cafile)
        do {
            _ = try Certificate.load(pem: pem, name: cafile)
        } catch {
            throw CommandError("\(error)")
        }
    }
}
