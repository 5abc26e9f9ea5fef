import OpenSSL

/// Bytes of a peer into TLS sessions. The first byte says how: into a server or a client, fresh or
/// after an honest handshake, at once or in pieces. After a handshake the bytes are plaintext
/// lengths, key updates and damage done by a client that knows the keys.
func fuzzTLS(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    guard count > 0 else { return 0 }
    let input = UnsafeBufferPointer(start: start, count: count)
    let how = input[0]
    let bytes = Array(input.dropFirst())
    switch how & 3 {
    case 0: feedRaw(bytes, server: true, piece: pieceSize(how))
    case 1: feedRaw(bytes, server: false, piece: pieceSize(how))
    case 2: feedChanged(bytes, piece: pieceSize(how))
    default: converse(bytes)
    }
    return 0
}

private func pieceSize(_ how: UInt8) -> Int {
    let sizes = [1, 2, 5, 6, 100, 1000, 16_389, 100_000]
    return sizes[Int(how >> 5)]
}

/// One thread, made once: the fuzzer calls from one thread only.
private final class Parties {
    let serverContext: TLSContext
    let clientContext: TLSContext
    let serverWire: TLSTransport
    let clientWire: TLSTransport

    init() throws {
        let library = try TLSLibrary()
        let now: Int64 = 1_767_225_600
        let authority = try LocalAuthority.make(now: now)
        let hosts = try ["example.com", "other.example"].map { name in
            let pair = try authority.issue(names: [name], key: .ecdsaP256, now: now)
            return TLSHost(names: [name, "*." + name], pairs: [pair])
        }
        var server = TLSServerSettings(hosts: hosts)
        server.tickets = try SessionTickets(now: 0)
        var client = TLSClientSettings()
        client.verification = .reported
        client.trust = .none
        client.resumes = true
        serverContext = try TLSContext(role: .server(server), library: library)
        clientContext = try TLSContext(role: .client(client), library: library)
        serverWire = try TLSTransport()
        clientWire = try TLSTransport()
    }
}

nonisolated(unsafe) private let parties: Parties = {
    do { return try Parties() } catch { fatalError("\(error)") }
}()

/// Runs a session as the server does: handshake until done, then read until it wants more.
/// Returns what it sent; `nil` when it is over.
private func turn(_ session: TLSSession, _ wire: TLSTransport, _ bytes: [UInt8]) -> [UInt8]? {
    var isOver = false
    bytes.withUnsafeBytes { raw in
        wire.receive(raw)
        if !session.isHandshakeDone {
            if case .failed(let failure) = session.handshake(wire) {
                _ = failure.description
                isOver = true
            }
        }
        if session.isHandshakeDone {
            _ = session.negotiated
            _ = session.serverName
            withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 16) { buffer in
                reading: while true {
                    switch session.read(into: buffer, wire) {
                    case .bytes(let count): precondition(count > 0 && count <= 4096)
                    case .wantsInput: break reading
                    case .closedByPeer: break reading
                    case .failed:
                        isOver = true
                        break reading
                    }
                }
            }
        }
        session.keepUnread(wire)
        precondition(wire.unreadCount == 0)
    }
    let output = Array(wire.output)
    wire.clearOutput()
    return isOver ? nil : output
}

private func feedRaw(_ bytes: [UInt8], server isServer: Bool, piece: Int) {
    let context = isServer ? parties.serverContext : parties.clientContext
    let wire = isServer ? parties.serverWire : parties.clientWire
    guard let session = try? TLSSession(context: context, serverName: "example.com") else { return }
    if !isServer { _ = turn(session, wire, []) }
    var rest = bytes[...]
    while !rest.isEmpty {
        if turn(session, wire, Array(rest.prefix(piece))) == nil { break }
        rest = rest.dropFirst(piece)
    }
    session.closeNotify(wire)
    wire.clearOutput()
}

/// An honest handshake whose flights are changed on the way: byte pairs say where and how.
private func feedChanged(_ changes: [UInt8], piece: Int) {
    guard let server = try? TLSSession(context: parties.serverContext),
        let client = try? TLSSession(context: parties.clientContext, serverName: "example.com")
    else { return }
    var changes = changes[...]
    var toServer: [UInt8] = turn(client, parties.clientWire, []) ?? []
    for _ in 0..<4 {
        damage(&toServer, &changes)
        guard let answer = deliver(toServer, server, parties.serverWire, piece) else { break }
        var toClient = answer
        damage(&toClient, &changes)
        guard let next = deliver(toClient, client, parties.clientWire, piece) else { break }
        toServer = next
        if toServer.isEmpty { break }
    }
    server.closeNotify(parties.serverWire)
    parties.serverWire.clearOutput()
    parties.clientWire.clearOutput()
}

private func deliver(
    _ bytes: [UInt8], _ session: TLSSession, _ wire: TLSTransport, _ piece: Int
) -> [UInt8]? {
    var output: [UInt8] = []
    var rest = bytes[...]
    repeat {
        guard let part = turn(session, wire, Array(rest.prefix(piece))) else { return nil }
        output += part
        rest = rest.dropFirst(piece)
    } while !rest.isEmpty
    return output
}

private func damage(_ flight: inout [UInt8], _ changes: inout ArraySlice<UInt8>) {
    guard let count = changes.popFirst() else { return }
    for _ in 0..<(count & 7) {
        guard changes.count >= 3, !flight.isEmpty, let high = changes.popFirst(),
            let low = changes.popFirst(), let value = changes.popFirst()
        else { return }
        let place = (Int(high) << 8 | Int(low)) % flight.count
        switch count >> 6 {
        case 0: flight[place] = value
        case 1: flight[place] ^= value | 1
        case 2: flight.insert(value, at: place)
        default: flight.remove(at: place)
        }
    }
}

/// After an honest handshake: each byte is something that a client with the keys does.
private func converse(_ script: [UInt8]) {
    guard let server = try? TLSSession(context: parties.serverContext),
        let client = try? TLSSession(context: parties.clientContext, serverName: "other.example"),
        let hello = turn(client, parties.clientWire, []),
        let flight = turn(server, parties.serverWire, hello),
        let finished = turn(client, parties.clientWire, flight)
    else { return }
    guard let rest = turn(server, parties.serverWire, finished) else { preconditionFailure() }
    precondition(server.isHandshakeDone && server.serverName == "other.example")
    _ = turn(client, parties.clientWire, rest)
    var pending: [UInt8] = []
    let text = [UInt8](repeating: 0x41, count: 300)
    for step in script.prefix(300) {
        switch step & 7 {
        case 0, 1:
            text.withUnsafeBytes {
                _ = client.write(
                    UnsafeRawBufferPointer(rebasing: $0[..<(Int(step) + 1)]), parties.clientWire)
            }
        case 2: client.updateKeys(parties.clientWire)
        case 3:
            if let last = pending.indices.last { pending[last] ^= step }
        case 4: client.closeNotify(parties.clientWire)
        case 5:
            text.withUnsafeBytes { _ = server.write($0, parties.serverWire) }
            let output = Array(parties.serverWire.output)
            parties.serverWire.clearOutput()
            if turn(client, parties.clientWire, output) == nil { return }
        default:
            guard let answer = turn(server, parties.serverWire, pending) else { return }
            pending = []
            if turn(client, parties.clientWire, answer) == nil { return }
        }
        pending += parties.clientWire.output
        parties.clientWire.clearOutput()
    }
    _ = turn(server, parties.serverWire, pending)
}
