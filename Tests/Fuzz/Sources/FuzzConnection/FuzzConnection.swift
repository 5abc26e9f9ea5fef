import AASAServer
import Glibc
import Reactor

/// The whole life of a connection: a client that shakes hands (or not) and then does what the input
/// says, against a real worker in this process. Whatever it did, once it is gone its slot is free
/// soon, and the next client is answered.
///
/// The first byte: bit 0 HTTP/2, bit 1 no handshake, bit 2 only a ClientHello. Then operations: see
/// `play`.
func fuzzConnection(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    guard count > 1 else { return 0 }
    var input = Array(UnsafeBufferPointer(start: start, count: count))[...]
    let how = input.removeFirst()
    // What the server makes of the client is looked at, not what the client's calls come to.
    try? play(&input, how)
    precondition(
        eventually { endpoint.server.counters.total(.connectionsOpen) == 0 },
        "a client that is gone keeps its slot")
    rounds += 1
    if rounds % 32 == 0 { precondition(isAnswered(), "the next client is not answered") }
    return 0
}

/// One worker with the shipped limits, for all inputs.
private let endpoint: TestEndpoint = {
    do { return try TestEndpoint() } catch { fatalError("\(error)") }
}()

nonisolated(unsafe) private var rounds = 0

private let preface = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8) + [0, 0, 0, 4, 0, 0, 0, 0, 0]

private func play(_ input: inout ArraySlice<UInt8>, _ how: UInt8) throws {
    let shakesHands = how & 6 == 0
    let client = try TestClient(
        endpoint.address, protocols: how & 1 == 1 ? [.http2] : [.http11], handshakes: shakesHands)
    if how & 6 == 4 { try client.sendHello() }
    while let operation = input.popFirst() {
        switch operation & 7 {
        case 0, 1:
            // Plaintext of the input's own.
            let length = min(Int(input.popFirst() ?? 0), input.count)
            let bytes = Array(input.prefix(length))
            input = input.dropFirst(length)
            try shakesHands ? client.send(bytes) : client.sendRaw(bytes)
        case 2:
            try client.send("GET \(TestEndpoint.path) HTTP/1.1\r\nHost: example.com\r\n\r\n")
        case 3: try client.send(preface)
        case 4:
            // Damage below TLS.
            try client.sendRaw([operation, 3, 3, 0, input.popFirst() ?? 0])
        case 5: client.shutdownWrite()
        case 6:
            client.abort()
            return
        default: usleep(UInt32(operation) * 4)
        }
    }
    client.socket.close()
}

private func isAnswered() -> Bool {
    guard let client = try? TestClient(endpoint.address), let answer = try? client.get() else {
        return false
    }
    return answer.status == 200
}
