import OpenSSL
import Reactor
import Testing

@testable import AASAStorm

/// A light client and OpenSSL's server, in memory.
final class LightPair {
    static let authority: LocalAuthority? = try? LocalAuthority.make(now: WallClock.seconds)

    let client: LightClient
    let session: LightSession
    let server: TLSSession
    let serverWire: TLSTransport
    /// How many bytes come at once; 0: all.
    var piece = 0

    init(
        server settings: TLSServerSettings, check: LightClient.Check? = nil,
        protocols: [TLSApplicationProtocol] = [.http11], checksSignature: Bool = true
    ) throws {
        server = try TLSSession(
            context: TLSContext(role: .server(settings), library: TLSLibrary()))
        serverWire = try TLSTransport()
        client = try LightClient(
            serverName: "example.com", protocols: protocols, check: check,
            library: TLSLibrary(for: .loadTests))
        session = LightSession(
            client, random: SIMD8(repeating: 0x0102_0304_0506_0708),
            checksSignature: checksSignature)
    }

    private func takeClientOutput() -> [UInt8] {
        defer { client.clearOutput() }
        return Array(client.output)
    }

    func takeServerOutput() -> [UInt8] {
        defer { serverWire.clearOutput() }
        return Array(serverWire.output)
    }

    /// Feeds the client; what it comes to at the end.
    func feed(_ bytes: [UInt8], _ body: () -> Bool) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let next = Array(piece == 0 ? rest : rest.prefix(piece))
            rest = rest.dropFirst(next.count)
            let goesOn = next.withUnsafeBytes {
                client.receive($0)
                defer { session.keepUnread() }
                return body()
            }
            if !goesOn { return }
        }
    }

    /// - Parameter change: applied to what the server says.
    func handshake(_ change: ([UInt8]) -> [UInt8] = { $0 }) -> LightSession.Step {
        var step = session.handshake()
        for _ in 0..<4 {
            let bytes = takeClientOutput()
            if !bytes.isEmpty {
                bytes.withUnsafeBytes {
                    serverWire.receive($0)
                    _ = server.handshake(serverWire)
                    server.keepUnread(serverWire)
                }
            }
            if step == .done { break }
            feed(change(takeServerOutput())) {
                step = session.handshake()
                return step == .wantsInput
            }
            if case .failed = step { break }
        }
        return step
    }

    func serverSays(_ text: String) -> [UInt8] {
        Array(text.utf8).withUnsafeBytes { _ = server.write($0, serverWire) }
        return takeServerOutput()
    }

    func read(_ bytes: [UInt8]) -> (text: String, end: LightSession.Read) {
        var text: [UInt8] = []
        var end = LightSession.Read.wantsInput
        withUnsafeTemporaryAllocation(byteCount: 17_000, alignment: 16) { buffer in
            feed(bytes) {
                while true {
                    end = session.read(into: buffer)
                    guard case .bytes(let count) = end else { return end == .wantsInput }
                    text += buffer[..<count]
                }
            }
        }
        return (String(decoding: text, as: UTF8.self), end)
    }

    func say(_ text: String) -> String {
        let isWritten = Array(text.utf8).withUnsafeBytes { session.write($0) }
        guard isWritten else { return "not written" }
        var heard: [UInt8] = []
        withUnsafeTemporaryAllocation(byteCount: 100_000, alignment: 16) { buffer in
            takeClientOutput().withUnsafeBytes {
                serverWire.receive($0)
                while case .bytes(let count) = server.read(into: buffer, serverWire) {
                    heard += buffer[..<count]
                }
                server.keepUnread(serverWire)
            }
        }
        return String(decoding: heard, as: UTF8.self)
    }
}

protocol LightSuite {}

extension LightSuite {
    typealias Pair = LightPair

    func settings(
        _ key: CertificateTemplate.Key = .ecdsaP256, name: String = "example.com"
    ) throws -> (settings: TLSServerSettings, check: LightClient.Check) {
        let authority = try #require(LightPair.authority)
        let pair = try authority.issue(names: [name], key: key, now: WallClock.seconds)
        return (
            TLSServerSettings(hosts: [TLSHost(names: [name], pairs: [pair])]),
            .init(trust: .certificates([authority.pair.leaf]), name: "example.com")
        )
    }
}
