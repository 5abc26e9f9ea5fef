import Glibc
import OpenSSL
import Reactor
import TestSupport
import Testing

@testable import AASAServer

/// What `serve --check` says of the options that name users, files and addresses.
@Suite struct EndpointStartProblemsTests {
    private let fixture: SiteFixture
    private let log: FileLog

    init() throws {
        fixture = try SiteFixture()
        log = try FileLog()
        try fixture.write("a.example/teams/D3KQX62K1A.json", SiteFixture.fragment)
        try fixture.certify("a.example", ends: 80_000)
    }

    /// Each is `PLACE: CAUSE`.
    private func problems(_ change: (inout ServerConfiguration) -> Void) throws -> [String] {
        let configuration = fixture.configuration {
            $0.workers = 1
            $0.listen = [.tcp(host: "127.0.0.1", port: 0)]
            change(&$0)
        }
        let endpoint = try Endpoint(checking: configuration, log: log.logger)
        return endpoint.startProblems.map { "\($0.place): \($0.cause)" }
    }

    private static let many = 100_000_000

    private static let mistakes: [(String, @Sendable (inout ServerConfiguration) -> Void)] = [
        ("--user: there is no user nobody-at-all", { $0.user = "nobody-at-all" }),
        ("--user: there is no group none-at-all", { $0.user = "root:none-at-all" }),
        ("--max-connections: \(many) connections need", { $0.connectionsMaximum = many }),
        ("--pid-file /none/a.pid: cannot be written: No such file", { $0.pidFile = "/none/a.pid" }),
        ("--pid-file /tmp: cannot be written: Is a directory", { $0.pidFile = "/tmp" }),
        (
            "--pid-file /etc/passwd/x: cannot be written: Not a directory",
            { $0.pidFile = "/etc/passwd/x" }
        ),
        ("--access-log /: cannot be written: Is a directory", { $0.log.accessFile = "/" }),
        ("--admin-token-file /none: ", { $0.adminTokenFile = "/none" }),
        ("--admin-token-file /dev/null: ", { $0.adminTokenFile = "/dev/null" }),
        ("--admin unix:/none/a: No such file", { $0.admin = .unix(path: "/none/a") }),
        (
            "--admin unix:/etc/passwd: there is a file that is not a socket",
            { $0.admin = .unix(path: "/etc/passwd") }
        ),
        (
            "--listen 192.0.2.1:443: Cannot assign requested address",
            { $0.listen = [.tcp(host: "192.0.2.1", port: 443)] }
        ),
        (
            "--admin 127.0.0.1:1: this is the address of --listen 0.0.0.0:1",
            {
                $0.listen = [.tcp(host: "0.0.0.0", port: 1)]
                $0.admin = .tcp(host: "127.0.0.1", port: 1)
            }
        ),
        (
            "--listen-plain 127.0.0.1:1: this is the address of --listen 127.0.0.1:1",
            {
                $0.listen = [.tcp(host: "127.0.0.1", port: 1)]
                $0.plainListen = $0.listen
            }
        ),
        (
            "--acme-http 127.0.0.1:1: this is the address of --listen 127.0.0.1:1",
            {
                $0.listen = [.tcp(host: "127.0.0.1", port: 1)]
                $0.challengeListen = $0.listen
            }
        ),
        (
            "--listen-plain unix:/tmp/a: this is the address of --admin unix:/tmp/a",
            {
                $0.admin = .unix(path: "/tmp/a")
                $0.plainListen = SocketAddress.listening("unix:/tmp/a") ?? []
            }
        ),
    ]

    @Test(arguments: mistakes.indices)
    func aMistakeIsSaidOnce(index: Int) throws {
        let (expected, change) = Self.mistakes[index]
        let found = try problems(change)
        #expect(found.count == 1 && found[0].hasPrefix(expected), "\(expected): \(found)")
    }

    /// All that a running server of the same configuration holds is no problem of its successor.
    @Test func whatARunningServerHasIsNone() throws {
        var listener = try ListeningSocket(on: .v4(0x7F00_0001, port: 0), backlog: 1)
        let path = fixture.folder.path("admin")
        let unix = try #require(SocketAddress.unix(path: path))
        var admin = try ListeningSocket(on: unix, backlog: 1)
        defer {
            listener.close()
            admin.close()
        }
        let pidFile = fixture.folder.path("aasa.pid")
        let held = try PidFile(path: pidFile, process: getpid()) { _ in nil }
        try held.write()
        let (port, token) = (
            listener.address.port, try fixture.folder.write("token", "0123456789abcdef")
        )
        let found = try problems {
            $0.listen = [.tcp(host: "127.0.0.1", port: port)]
            $0.admin = .unix(path: path)
            $0.pidFile = pidFile
            $0.log.accessFile = fixture.folder.path("access.log")
            $0.adminTokenFile = token
            $0.user = "\(getuid())"
        }
        expectEqual(found, [])
        #expect(!Files.exists(fixture.folder.path("access.log")), "nothing is made")
        #expect(PidFile.isHeld(pidFile))
    }
}
