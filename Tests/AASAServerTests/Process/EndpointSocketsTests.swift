import Glibc
import Reactor
import TestSupport
import Testing

@testable import AASAServer

@Suite struct EndpointSocketsTests {
    private func configuration(
        _ listen: [SocketAddress], admin: SocketAddress? = nil
    ) -> ServerConfiguration {
        var configuration = ServerConfiguration(
            siteFolder: "s", certificateFolder: "c", listen: listen)
        configuration.admin = admin
        return configuration
    }

    /// Why the sockets cannot be had; nil: they can.
    private func problem(
        _ configuration: ServerConfiguration, _ handed: [InheritedSocket] = []
    ) -> Problem? {
        do {
            let sockets = try EndpointSockets(configuration, handed)
            if handed.isEmpty, let admin = sockets.adminDescriptor { close(admin) }
            return nil
        } catch {
            return error
        }
    }

    /// A second server on a port that ours shares (SO_REUSEPORT) would take half of the
    /// connections; it is refused, and the message names the process.
    @Test func aPortInUseIsRefusedWithItsOwner() throws {
        var first = try ListeningSocket(
            on: try #require(SocketAddress(host: "127.0.0.1", port: 0)), backlog: 1)
        defer { first.close() }
        var configuration = ServerConfiguration(
            siteFolder: "s", certificateFolder: "c",
            listen: [.tcp(host: "127.0.0.1", port: first.address.port)])
        let failure = #expect(throws: Problem.self) {
            try EndpointSockets(configuration, [])
        }
        expectEqual(failure?.cause.contains("process \(getpid())"), true, "\(failure as Any)")
        expectEqual(failure?.place.contains("127.0.0.1:\(first.address.port)"), true)
        configuration.listen = [.tcp(host: "127.0.0.1", port: 0)]
        #expect(throws: Never.self) { try EndpointSockets(configuration, []) }
    }

    @Test func handedSocketsComeBeforeAddresses() throws {
        let configuration = ServerConfiguration(
            siteFolder: "s", certificateFolder: "c", listen: [.tcp(host: "127.0.0.1", port: 1)])
        let sockets = try EndpointSockets(
            configuration,
            [
                InheritedSocket(descriptor: 901, name: "https"),
                InheritedSocket(descriptor: 902, name: "admin"),
            ])
        #expect(sockets.addresses.isEmpty)
        expectEqual(sockets.handed, [901])
        expectEqual(sockets.adminDescriptor, 902)
    }

    /// A worker keeps one bit of 64 for each of its listeners.
    @Test func thereIsABoundOnAddresses() {
        let most = EndpointSockets.listenersMaximum
        #expect(most <= 32)
        func addresses(_ count: Int) -> [SocketAddress] {
            (0..<count).map { _ in .tcp(host: "127.0.0.1", port: 0) }
        }
        #expect(problem(configuration(addresses(most))) == nil)
        let failure = problem(configuration(addresses(most + 1)))
        expectEqual(failure?.place, "--listen")
        expectEqual(failure?.cause.contains("\(most + 1) addresses; at most \(most)"), true)
    }

    /// The second bind would say that this very process has the port.
    @Test(arguments: [
        ("127.0.0.1", "127.0.0.1", true), ("0.0.0.0", "127.0.0.1", true),
        ("127.0.0.1", "0.0.0.0", true), ("127.0.0.1", "::", true), ("::", "127.0.0.1", true),
        ("127.0.0.1", "127.0.0.9", false),
    ])
    func theAdminSideNeedsAPortOfItsOwn(listen: String, admin: String, isShared: Bool) throws {
        // A port that nobody has: it is taken and given back.
        var free = try ListeningSocket(on: .v4(0x7F00_0001, port: 0), backlog: 1)
        let port = free.address.port
        free.close()
        let failure = problem(
            configuration(
                [.tcp(host: listen, port: port)], admin: .tcp(host: admin, port: port)))
        expectEqual(
            (failure?.cause.hasPrefix("this is the address of --listen ") == true), isShared)
        if isShared { expectEqual(failure?.place.hasPrefix("--admin "), true) }
        // Port 0 is another one each time.
        #expect(
            problem(
                configuration(
                    [.tcp(host: "127.0.0.1", port: 0)],
                    admin: .tcp(host: "127.0.0.1", port: 0))) == nil)
    }

    @Test func theAdminSideListensAndSaysWhereItCannot() throws {
        let bound = try EndpointSockets(
            configuration([], admin: .tcp(host: "127.0.0.1", port: 0)), [])
        var socket = try ListeningSocket(adopting: try #require(bound.adminDescriptor))
        defer { socket.close() }
        #expect(socket.address.isLoopback && socket.address.port != 0)
        let taken = problem(
            configuration([], admin: .tcp(host: "127.0.0.1", port: socket.address.port)))
        expectEqual(taken?.place, "--admin 127.0.0.1:\(socket.address.port)")
        expectEqual(taken?.cause.contains("process \(getpid())"), true)
        #expect(try EndpointSockets(configuration([]), []).adminDescriptor == nil)
    }

    /// A Unix socket's name is a path: what is there tells whose fault it is.
    @Test func aPathThatIsTakenIsToldFromAFileInTheWay() throws {
        let folder = try TemporaryFolder("sockets")
        let path = folder.path("s")
        let admin = configuration([], admin: .unix(path: path))
        let sockets = try EndpointSockets(admin, [])
        let descriptor = try #require(sockets.adminDescriptor)
        defer { close(descriptor) }
        expectEqual(problem(admin)?.cause, "another process listens there")
        let file = try folder.write("file", "precious")
        let inTheWay = problem(configuration([], admin: .unix(path: file)))
        expectEqual(inTheWay?.cause, "there is a file that is not a socket")
        expectEqual(inTheWay?.place, "--admin unix:\(file)")
        try expectEqual(folder.read("file"), Array("precious".utf8))
    }

    /// A kernel that was started with `ipv6.disable=1`.
    @Test func everyAddressMeansThoseOfTheKernelsFamilies() throws {
        defer { FaultInjection.disarm() }
        let all = try #require(SocketAddress.listening("*:0"))
        expectEqual(EndpointSockets.addresses(all).count, 2)
        FaultInjection.arm(.socket, number: EAFNOSUPPORT)
        expectEqual(EndpointSockets.addresses(all).map(\.description), ["0.0.0.0:0"])
        // Asked for by itself, it is an error.
        FaultInjection.arm(.socket, number: EAFNOSUPPORT)
        let alone = problem(configuration([.tcp(host: "::", port: 1)]))
        expectEqual(alone?.place, "--listen [::]:1", "\(alone as Any)")
        FaultInjection.arm(.socket, number: EAFNOSUPPORT)
        let admin = try EndpointSockets(
            configuration([], admin: .tcp(host: "::", port: 0)), [])
        var socket = try ListeningSocket(adopting: try #require(admin.adminDescriptor))
        defer { socket.close() }
        #expect(!socket.address.isIPv6)
    }

    /// systemd may have bound it to an address that other machines reach.
    @Test func aHandedAdminSocketObeysTheSameRule() throws {
        var open = try ListeningSocket(on: .v4(0, port: 0), backlog: 1)
        var local = try ListeningSocket(on: .v4(0x7F00_0001, port: 0), backlog: 1)
        defer {
            open.close()
            local.close()
        }
        func admin(_ descriptor: Int32) -> [InheritedSocket] {
            [InheritedSocket(descriptor: descriptor, name: "admin")]
        }
        var settings = configuration([])
        let failure = problem(settings, admin(open.raw))
        expectEqual(failure?.place, "the admin socket handed over")
        expectEqual(failure?.cause.contains("0.0.0.0:\(open.address.port)"), true)
        #expect(problem(settings, admin(local.raw)) == nil)
        settings.adminAllowsNetwork = true
        #expect(problem(settings, admin(open.raw)) == nil)
        // Only looked at: it still listens.
        #expect(open.address.port != 0)
    }

    @Test func eachAddressIsToldOnce() throws {
        let sockets = try EndpointSockets(configuration([]), [])
        let a = SocketAddress.v4(0x7F00_0001, port: 1)
        let b = SocketAddress.v4(0x7F00_0001, port: 2)
        expectEqual(sockets.distinct([b, a, b, a]), [b, a])
    }

    @Test func anErrorOfTheKernelIsExplained() {
        let denied = SystemError(call: "bind", number: EACCES, subject: "127.0.0.1:443")
        let failure = EndpointSockets.failure(denied, option: "--listen")
        expectEqual(failure.place, "--listen 127.0.0.1:443")
        #expect(!failure.cause.isEmpty && !failure.remedy.isEmpty)
        #expect(!failure.cause.contains("in use"))
    }
}
