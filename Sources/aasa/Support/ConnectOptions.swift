import AASAClient
import AASADevice
import ArgumentParser
import Reactor

/// Where hosts are, if not where their names say.
struct ResolveOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Connect to ADDR for HOST:PORT, as curl does; repeatable.",
            valueName: "host:port:addr"))
    var resolve: [String] = []

    func validate() throws {
        for text in resolve where Resolver.Override(parsing: text) == nil {
            throw ValidationError(
                "--resolve wants HOST:PORT:ADDR, such as example.com:443:127.0.0.1, not \"\(text)\""
            )
        }
    }

    var resolver: Resolver {
        Resolver(overrides: resolve.compactMap { Resolver.Override(parsing: $0) })
    }
}

/// Where hosts are and whom to trust: the options of every command that connects.
struct ConnectOptions: ParsableArguments {
    @OptionGroup var place: ResolveOptions

    @Option(
        help: ArgumentHelp(
            "Trust the certificates in this PEM file as well.", valueName: "file"))
    var cacert: String?

    var resolver: Resolver { place.resolver }

    /// A missing file would otherwise come out as a failed request.
    func checkFiles() throws {
        guard let cacert else { return }
        do throws(FileError) {
            try Files.checkReadable(cacert)
        } catch {
            throw CommandError(error.cause, place: cacert)
        }
    }
}
