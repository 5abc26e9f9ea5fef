import AASAServer
import ArgumentParser
import OpenSSL
import Reactor

/// `aasa try`: the first minute. A sample site with local certificates is served until Ctrl-C;
/// nothing is left behind.
struct TryCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "try",
        abstract: "Serve a sample site on this machine, and leave nothing behind.",
        discussion: """
            Creates a site of two teams and local certificates in a temporary folder, serves it on \
            127.0.0.1, and prints a command to request it. Change a file in the folder, and see the change \
            served. Ctrl-C stops the server and removes the folder.
            """)

    @Option(
        help: .value("port", "The HTTPS port; without it 8443, or a free one."))
    var port: UInt16?

    @Option(
        help: .value("port", "The status page's port; without it 9443, or a free one."))
    var adminPort: UInt16?

    func run() throws {
        let folder = try TrialFolder()
        defer { folder.remove() }
        try folder.makeSite()
        let host = TrialFolder.host
        do {
            _ = try LocalAuthorityFolder(folder: CertificateFolder(path: folder.certificates)).make(
                hosts: [host], now: WallClock.seconds)
        } catch {
            throw CommandError("the certificates cannot be made: \(error)", place: folder.path)
        }
        let listen = "127.0.0.1:\(port ?? FreePort.first(8443))"
        let admin = "127.0.0.1:\(adminPort ?? FreePort.first(9443))"
        let serve = try ServeCommand.parse([
            "--site", folder.site, "--certs", folder.certificates, "--listen", listen, "--admin",
            admin, "--default-host", host, "--log-level", "warning",
        ])
        try serve.serve { listeners, admin in
            let port = listeners.first?.split(separator: ":").last.map(String.init) ?? "8443"
            let authority = "\(folder.certificates)/local-ca/ca.pem"
            Terminal.note(
                lines: """

                    Ask it, from another terminal:
                      curl --cacert \(authority) --resolve \(host):\(port):127.0.0.1 \\
                          https://\(host):\(port)/.well-known/apple-app-site-association
                      aasa check \(host):\(port) --cacert \(authority) \
                    --resolve \(host):\(port):127.0.0.1

                    Status page:   http://\(admin ?? "")/
                    Change it:     \(folder.site)/\(host)/teams/   (a change is served at once)
                    End it:        Ctrl-C; the folder goes with it

                    """)
        }
    }
}

/// Ports of the loopback address.
enum FreePort {
    /// `wanted` if no process listens there, else 0: the kernel chooses one.
    static func first(_ wanted: UInt16) -> UInt16 {
        do {
            guard let address = SocketAddress(host: "127.0.0.1", port: wanted) else { return 0 }
            var socket = try Socket(for: address)
            defer { socket.close() }
            // Without SO_REUSEPORT: a port that any process has is refused.
            try socket.bind(address)
            return wanted
        } catch {
            return 0
        }
    }
}
