import AASAClient
import AASADevice
import AASAServer
import ArgumentParser
import OpenSSL
import Reactor

/// Where hosts are, if not where their names say.
struct ResolveOptions: ParsableArguments {
    @Option(
        help: .value("host:port:addr", "Connect to ADDR for HOST:PORT; repeatable."))
    var resolve: [String] = []

    func validate() throws {
        for text in resolve where Self.override(text) == nil {
            throw ValidationError(
                "--resolve takes HOST:PORT:ADDR, such as example.com:443:127.0.0.1, not \"\(text)\""
            )
        }
    }

    var resolver: Resolver {
        Resolver(overrides: resolve.compactMap { Self.override($0) })
    }

    /// The host in the form that requests have: Punycode, without a full stop at its end.
    private static func override(_ text: String) -> Resolver.Override? {
        let host = text.prefix { $0 != ":" }
        return Resolver.Override(
            parsing: HostName.corrected(String(host)) + text.dropFirst(host.count))
    }

    /// Names the addresses that no request used: probably their host or port is misspelt.
    func noteUnused(_ asked: [(host: String, port: UInt16)]) {
        for override in resolver.overrides
        where !asked.contains(where: { ($0.host, $0.port) == (override.host, override.port) }) {
            Terminal.note(
                "note: --resolve \(override.host):\(override.port) was not used: no request went "
                    + "to that host and port")
        }
    }
}

/// Where hosts are and whom to trust: the options of every command that connects.
struct ConnectOptions: ParsableArguments {
    @OptionGroup var place: ResolveOptions

    @Option(
        help: .value("file", "Trust the certificates in this PEM file as well."))
    var cacert: String?

    var resolver: Resolver { place.resolver }

    /// A file that is missing or holds no certificate would otherwise come out as a failed request.
    func checkFiles() throws {
        guard let cacert else { return }
        do {
            try AuthorityFile.check(cacert)
        } catch let error as FileError {
            throw CommandError(error.cause, place: cacert, remedy: "check the path of --cacert")
        }
    }
}

extension ServerURL {
    /// The URL of a site that a command asks.
    init(https text: String) throws(CommandError) {
        guard let url = try? ServerURL(parsing: text), url.isTLS else {
            throw CommandError(
                "\"\(text)\" is not an https URL of a host",
                remedy: "write https://HOST, or https://HOST:PORT", status: .usage)
        }
        self = url
    }
}

/// A PEM file with authorities to trust. It is read anew for each kind of connection.
enum AuthorityFile {
    /// - Throws: `FileError` or `OpenSSLError` if it cannot be read or holds no certificate.
    static func check(_ path: String) throws {
        let pem = try Files.read(path, limit: InputFile.bytesMaximum)
        _ = try Certificate.load(pem: pem, name: path)
    }

    /// Roots of the server's options: what is wrong with them would be said after the start only,
    /// as an authority that is not trusted.
    static func check(_ path: String, _ option: String, _ reader: inout OptionReader) {
        do {
            try check(path)
        } catch {
            reader.problem(option, path, "\(error)")
        }
    }
}
