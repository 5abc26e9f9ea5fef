import Glibc
import Reactor
import TestSupport
import Testing

@testable import AASAServer

@Suite struct ConfigurationTests {
    @Test(arguments: [
        ("127.0.0.1:8443", ["127.0.0.1:8443"]), ("[::1]:443", ["[::1]:443"]),
        (":443", ["0.0.0.0:443", "[::]:443"]), ("*:0", ["0.0.0.0:0", "[::]:0"]),
        ("localhost:1", ["127.0.0.1:1"]), ("unix:/run/aasa/admin", ["unix:/run/aasa/admin"]),
    ])
    func listenAddressesAreRead(text: String, addresses: [String]) {
        expectEqual(SocketAddress.listening(text)?.map(\.description), addresses)
    }

    /// Each write would be a reload, and each reload writes.
    @Test func whatIsWrittenAgainAndAgainLiesOutsideOfWhatIsRead() throws {
        let folder = try TemporaryFolder("configuration")
        for name in ["site", "certs", "state"] { try folder.makeFolder(name) }
        expectEqual(symlink(folder.path("site"), folder.path("link")), 0)
        func options(_ change: (inout ServerConfiguration) -> Void) -> [String] {
            var configuration = ServerConfiguration(
                siteFolder: folder.path("site"), certificateFolder: folder.path("certs"),
                listen: [])
            change(&configuration)
            return configuration.filesThatCauseReloads.map { "\($0.option) \($0.folder)" }
        }
        #expect(options { _ in }.isEmpty)
        expectEqual(options { $0.stateFolder = folder.path("link/new/state/") }, ["state site"])
        expectEqual(options { $0.stateFolder = folder.path("certs") }, ["state certs"])
        #expect(options { $0.stateFolder = folder.path("site-state") }.isEmpty)
        expectEqual(options { $0.log.file = folder.path("site/.log") }, ["log-file site"])
        expectEqual(options { $0.log.accessFile = folder.path("certs/x/a") }, ["access-log certs"])
        #expect(
            options {
                $0.log.accessFile = "-"
                $0.stateFolder = folder.path("state")
            }.isEmpty)
        // The site of a machine of a fleet is a revision in its state, and no folder of its own.
        #expect(
            options {
                $0.revisionLink = folder.path("state/current")
                $0.revisionHasCertificates = true
                $0.stateFolder = folder.path("site/state")
            }.isEmpty)
    }

    @Test(arguments: [
        "", "443", "127.0.0.1", "127.0.0.1:", "127.0.0.1:+1", "127.0.0.1:65536", "::1:443",
        "[127.0.0.1]:443", "[::1]", "unix:", "127.0.0.1:-1", "example.com:443", "256.0.0.1:1",
        "[fe80::zz]:1", "*", "localhost",
        "unix:" + String(repeating: "x", count: 108),
    ])
    func otherTextsAreNot(text: String) {
        #expect(SocketAddress.listening(text) == nil)
    }
}

extension SocketAddress {
    static func tcp(host: String, port: UInt16) -> SocketAddress {
        guard let address = SocketAddress(host: host, port: port) else {
            preconditionFailure("\(host) is no address")
        }
        return address
    }
}
