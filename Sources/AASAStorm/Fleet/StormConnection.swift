import HTTP
import OpenSSL
import Reactor

/// One device's try: one connection, one handshake, one request.
final class StormConnection {
    enum Phase {
        case connecting
        case handshaking
        case exchanging
    }

    let token: SlotToken
    var socket: Socket
    var phase = Phase.connecting
    var session: TLSSession?
    var exchange: StormExchange?
    /// Ciphertext that the socket has not taken yet.
    var unsent: [UInt8] = []
    /// When the device should have arrived (nanoseconds on the storm's clock): latency counts
    /// from here, so that a late generator does not flatter the server.
    let due: Int64
    /// Which try of the device this is; the first is 1.
    let attempt: Int
    let userAgent: Int
    /// Whether the poller waits for writability beside readability.
    var waitsForWriting = true

    init(token: SlotToken, socket: consuming Socket, due: Int64, attempt: Int, userAgent: Int) {
        self.token = token
        self.socket = socket
        self.due = due
        self.attempt = attempt
        self.userAgent = userAgent
    }
}
