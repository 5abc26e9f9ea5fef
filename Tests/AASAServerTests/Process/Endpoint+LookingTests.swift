import Glibc
import Reactor
import TestSupport
import Testing

@testable import AASAServer

@Suite struct EndpointLookingTests {
    private let fixture: SiteFixture
    private let host = OwnAddress().text
    private let port: UInt16 = 44_399

    init() throws {
        fixture = try SiteFixture()
        try fixture.write("a.example/apple-app-site-association", SiteFixture.fragment)
        try fixture.certify("a.example", begins: -3_000, ends: 80_000)
    }

    private func endpoint(
        _ change: (inout ServerConfiguration) -> Void = { _ in }
    ) throws -> Endpoint {
        let configuration = fixture.configuration {
            $0.listen = [.tcp(host: host, port: port)]
            $0.stateFolder = fixture.folder.path("state")
            change(&$0)
        }
        return try Endpoint(checking: configuration, log: try FileLog().logger)
    }

    private var address: SocketAddress {
        get throws { try #require(SocketAddress(host: host, port: port)) }
    }

    /// What a look from outside sees, without what a running server has beside its listeners.
    @Test func whileItLooksItListens() throws {
        let admin = try #require(SocketAddress(host: host, port: port + 1))
        let endpoint = try endpoint {
            $0.admin = .tcp(host: host, port: port + 1)
            $0.challengeListen = [.tcp(host: host, port: port + 2)]
        }
        let challenges = HTTP01Challenges()
        challenges.replace(["token": "token.thumb"])
        let address = try address
        let seen = try endpoint.listening(plain: challenges) { () -> [String] in
            let client = try? TestClient(address, name: "a.example")
            let answer = try? client?.get(host: "a.example")
            let token = try? Tool.run(
                "curl",
                [
                    "-sS", "--max-time", "60",
                    "http://\(host):\(port + 2)/.well-known/acme-challenge/token",
                ])
            // The admin side has nothing to show yet.
            let free = try? ListeningSocket(on: admin, backlog: 1, sharesPort: false)
            return [
                "\(answer?.status ?? 0)", token?.stdout ?? "", free == nil ? "taken" : "free",
            ]
        }
        expectEqual(seen, ["200", "token.thumb", "free"])
        // The look is over, and so is all that listened; no state was kept.
        for offset: UInt16 in 0...2 {
            let place = try #require(SocketAddress(host: host, port: port + offset))
            #expect(throws: Never.self) {
                var socket = try ListeningSocket(on: place, backlog: 1, sharesPort: false)
                socket.close()
            }
        }
        #expect(!Files.exists(fixture.folder.path("state")))
    }

    @Test func aPortThatIsTakenIsSaid() throws {
        var taken = try ListeningSocket(on: address, backlog: 1)
        defer { taken.close() }
        let endpoint = try endpoint()
        var didLook = false
        let failure = #expect(throws: Problem.self) {
            try endpoint.listening(plain: HTTP01Challenges()) { didLook = true }
        }
        expectEqual(failure?.place, "--listen \(host):\(port)")
        expectEqual(failure?.cause.contains("process \(getpid())"), true)
        #expect(!didLook)
    }
}
