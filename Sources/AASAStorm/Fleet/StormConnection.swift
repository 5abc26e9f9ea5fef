import AASADevice
import HTTP
import Reactor

/// One question of a device: one connection, one handshake, one request.
final class StormConnection {
    enum Phase {
        case handshaking
        case exchanging
    }

    let token: SlotToken
    var socket: Socket
    var phase = Phase.handshaking
    let session: StormSession
    var exchange: StormExchange?
    /// Ciphertext that the socket has not taken yet.
    var unsent: [UInt8] = []
    var isWatched = false
    var isWatchedForWriting = false
    /// When the device should have arrived (nanoseconds on the storm's clock): latency counts
    /// from here, so that a late generator does not flatter the server.
    let due: Int64
    /// How late the generator was with the beginning of the try, in nanoseconds.
    let lateness: Int64
    let device: StormDevice
    let path: AssociationPath

    init(
        token: SlotToken, socket: consuming Socket, session: StormSession, due: Int64,
        lateness: Int64, device: StormDevice, path: AssociationPath
    ) {
        self.token = token
        self.socket = socket
        self.session = session
        self.due = due
        self.lateness = lateness
        self.device = device
        self.path = path
    }
}
