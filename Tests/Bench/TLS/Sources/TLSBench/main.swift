import Glibc
import OpenSSL
import PlainTLS
import Reactor

// TLSBench KIND COUNT [rsa] [1.2]: COUNT full handshakes, each with one request, one answer of
// 300 bytes and close_notify; CPU time of the server's part alone. KIND: ours, plain (C), cleared
// (C, with the SSL object used again), idle (bytes that COUNT idle sessions take).

let arguments = CommandLine.arguments.dropFirst()
let kind = arguments.first ?? "ours"
let count = arguments.dropFirst().first.flatMap { Int($0) } ?? 2000
let isRSA = arguments.contains("rsa")
let version: TLSVersion = arguments.contains("1.2") ? .tls12 : .tls13

let now = WallClock.seconds
let authority = try LocalAuthority.make(now: now)
let pair = try authority.issue(
    names: ["example.com"], key: isRSA ? .rsa(bits: 2048) : .ecdsaP256, now: now)
let answer = [UInt8](repeating: 0x41, count: 300)
let question = [UInt8](repeating: 0x42, count: 120)

/// The client's side, the same for all.
final class Client {
    let context: TLSContext
    let wire: TLSTransport

    init() throws {
        var settings = TLSClientSettings()
        settings.verification = .skipped
        settings.offer.minimumVersion = version
        settings.offer.maximumVersion = version
        settings.offer.groups = "X25519"
        context = try TLSContext(role: .client(settings), library: TLSLibrary())
        wire = try TLSTransport()
    }
}

/// The server's side: takes bytes, says what it sends, and how it stands.
protocol Server {
    mutating func open() throws
    mutating func turn(_ bytes: [UInt8]) -> (output: UnsafeRawBufferPointer, answered: Bool)
    mutating func close()
}

struct Ours: Server {
    let context: TLSContext
    let wire: TLSTransport
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 16_384, alignment: 16)
    var session: TLSSession?

    init() throws {
        let host = TLSHost(names: ["example.com"], pairs: [pair])
        context = try TLSContext(
            role: .server(TLSServerSettings(hosts: [host])), library: TLSLibrary())
        wire = try TLSTransport()
    }

    mutating func open() throws { session = try TLSSession(context: context) }
    mutating func close() { session = nil }

    @inline(never)
    mutating func turn(_ bytes: [UInt8]) -> (output: UnsafeRawBufferPointer, answered: Bool) {
        guard let session else { return (wire.output, false) }
        wire.clearOutput()
        let answered = bytes.withUnsafeBytes { raw -> Bool in
            wire.receive(raw)
            defer { session.keepUnread(wire) }
            if !session.isHandshakeDone {
                guard case .done = session.handshake(wire) else { return false }
                _ = session.negotiated
            }
            guard case .bytes = session.read(into: buffer, wire) else { return false }
            _ = answer.withUnsafeBytes { session.write($0, wire) }
            session.closeNotify(wire)
            return true
        }
        return (wire.output, answered)
    }
}

struct Plain: Server {
    let server: OpaquePointer?
    var session: OpaquePointer?

    init(fresh: Bool) throws {
        let folder = "/tmp/aasa-tlsbench-\(getpid())"
        try Files.makeFolder(folder, mode: 0o700)
        try Files.replace(folder + "/chain", with: pair.leaf.pem, mode: 0o600)
        try Files.replace(folder + "/key", with: pair.key.unencryptedPEM(), mode: 0o600)
        server = plain_server_new(folder + "/chain", folder + "/key", fresh ? 1 : 0)
        unlink(folder + "/chain")
        unlink(folder + "/key")
        rmdir(folder)
    }

    mutating func open() throws { session = plain_session_new(server) }
    mutating func close() { plain_session_free(session) }

    @inline(never)
    mutating func turn(_ bytes: [UInt8]) -> (output: UnsafeRawBufferPointer, answered: Bool) {
        let result = plain_session_turn(session, bytes, bytes.count, answer, answer.count)
        var count = 0
        let start = plain_session_output(session, &count)
        return (UnsafeRawBufferPointer(start: start, count: count), result == 1)
    }
}

func run(_ server: inout some Server, _ count: Int) throws -> [UInt64] {
    let client = try Client()
    var times: [UInt64] = []
    for _ in 0..<count {
        let session = try TLSSession(context: client.context, serverName: "example.com")
        _ = session.handshake(client.wire)
        var time: UInt64 = 0
        var start = plain_cpu()
        try server.open()
        var isAnswered = false
        for turn in 0..<5 where !isAnswered {
            let bytes = Array(client.wire.output)
            client.wire.clearOutput()
            if turn > 0 { start = plain_cpu() }
            let (output, answered) = server.turn(bytes)
            if answered { server.close() }
            time += plain_cpu() - start
            isAnswered = answered
            if answered { break }
            client.wire.receive(output)
            if case .done = session.handshake(client.wire) {
                _ = question.withUnsafeBytes { session.write($0, client.wire) }
            }
            session.keepUnread(client.wire)
        }
        guard isAnswered else { throw CancellationError() }
        times.append(time)
    }
    return times
}

func report(_ times: [UInt64]) {
    let sorted = times.sorted()
    let mean = Double(sorted.reduce(0, +)) / Double(sorted.count) / 1000
    func at(_ share: Double) -> Double {
        Double(sorted[Int(Double(sorted.count - 1) * share)]) / 1000
    }
    func round(_ value: Double) -> String { "\((value * 10).rounded() / 10)" }
    print("\(kind): p10 \(round(at(0.1))) p50 \(round(at(0.5))) mean \(round(mean)) us")
}

switch kind {
case "ours":
    var server = try Ours()
    report(try run(&server, count))
case "plain", "cleared":
    var server = try Plain(fresh: kind == "plain")
    report(try run(&server, count))
case "idle":
    var server = try Ours()
    let client = try Client()
    _ = try run(&server, 50)
    func resident() -> Int {
        let fields = (try? Files.read("/proc/self/statm", limit: 4096)) ?? []
        let words = String(decoding: fields, as: UTF8.self).split(separator: " ")
        return words.count > 1 ? (Int(words[1]) ?? 0) * 4096 : 0
    }
    var kept: [TLSSession] = []
    server.wire.clearOutput()
    let before = resident()
    for _ in 0..<count {
        let session = try TLSSession(context: client.context, serverName: "example.com")
        _ = session.handshake(client.wire)
        try server.open()
        for _ in 0..<4 {
            guard let own = server.session, !own.isHandshakeDone else { break }
            let bytes = Array(client.wire.output)
            client.wire.clearOutput()
            bytes.withUnsafeBytes {
                server.wire.receive($0)
                _ = own.handshake(server.wire)
            }
            client.wire.receive(server.wire.output)
            _ = session.handshake(client.wire)
            server.wire.clearOutput()
        }
        if let own = server.session { kept.append(own) }
    }
    print("idle: \((resident() - before) / max(kept.count, 1)) bytes a session")
case "hosts":
    let hosts = try (0..<count).map { index in
        let name = "host\(index).example"
        return TLSHost(
            names: [name], pairs: [try authority.issue(names: [name], key: .ecdsaP256, now: now)])
    }
    let library = try TLSLibrary()
    let start = plain_cpu()
    let context = try TLSContext(role: .server(TLSServerSettings(hosts: hosts)), library: library)
    let made = plain_cpu()
    let again = try TLSContext(
        role: .server(TLSServerSettings(hosts: hosts)), library: library, replacing: context)
    print(
        "\(count) hosts: \((made - start) / 1_000_000) ms; again: \((plain_cpu() - made) / 1_000_000) ms"
    )
    withExtendedLifetime((context, again)) {}
default:
    print("usage: TLSBench ours|plain|cleared|idle|hosts COUNT [rsa] [1.2]")
}
