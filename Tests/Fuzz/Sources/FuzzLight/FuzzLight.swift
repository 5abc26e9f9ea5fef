import OpenSSL

@testable import AASAStorm

/// Bytes of a server into sessions of the light client. The first byte says how deep they get: as
/// the first thing that comes, as messages under the right keys of the handshake, or as records of
/// a session that stands; and in pieces of which size.
func fuzzLight(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    guard count > 0 else { return 0 }
    let input = UnsafeBufferPointer(start: start, count: count)
    let how = input[0]
    let bytes = Array(input.dropFirst())
    guard let server = try? LightServer(checksSignature: how & 4 != 0) else { return 0 }
    let type: UInt8 = [22, 21, 23, 0][Int(how >> 3 & 3)]
    let piece = [1, 2, 5, 100, 1000, 16_389, 40_000, 100_000][Int(how >> 5)]
    switch how & 3 {
    case 0: feed(server, bytes, piece)
    case 1:
        feed(server, server.hello() + server.seal(bytes, type: type), piece)
    case 2:
        feed(server, server.hello() + server.flight() + server.seal(bytes, type: type), piece)
    default:
        // One damaged byte of an honest flight.
        var flight = server.hello() + server.flight()
        if bytes.count > 1 {
            flight[(Int(bytes[0]) << 8 | Int(bytes[1])) % flight.count] ^= bytes.last ?? 1
        }
        feed(server, flight, piece)
    }
    return 0
}

/// As the storm does: handshake until it is done, then read until it wants more.
private func feed(_ server: LightServer, _ bytes: [UInt8], _ piece: Int) {
    let (client, session) = (server.client, server.session)
    var rest = bytes[...]
    while !rest.isEmpty {
        let next = Array(rest.prefix(piece))
        rest = rest.dropFirst(piece)
        let goesOn = next.withUnsafeBytes { raw -> Bool in
            client.receive(raw)
            defer { session.keepUnread() }
            if !session.isHandshakeDone {
                if case .failed = session.handshake() { return false }
            }
            guard session.isHandshakeDone else { return true }
            return withUnsafeTemporaryAllocation(byteCount: 17_000, alignment: 16) { buffer in
                while true {
                    switch session.read(into: buffer) {
                    case .bytes(let count): precondition(count > 0 && count <= buffer.count)
                    case .wantsInput: return true
                    case .closedByPeer, .failed: return false
                    }
                }
            }
        }
        precondition(client.output.count <= 64 * 1024, "it answers more than it was asked")
        client.clearOutput()
        precondition(session.keptCount <= 200_000, "it keeps more than it needs")
        if !goesOn { return }
    }
}
