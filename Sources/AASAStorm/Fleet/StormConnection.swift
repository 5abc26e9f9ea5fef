import AASADevice
import HTTP
import OpenSSL
import Reactor

/// One query of a device: one connection, one handshake, one request.
final class StormConnection {
    enum Phase {
        case handshaking
        case exchanging
    }

    let token: SlotToken
    var socket: Socket
    var phase = Phase.handshaking
    let session: TLSSession
    var exchange: (any StormExchange)?
    /// Ciphertext that the socket has not accepted yet.
    var unsent: [UInt8] = []
    var isWatched = false
    var isWatchedForWriting = false
    /// The scheduled arrival of the device (nanoseconds on the storm's clock). Latency counts from
    /// here, so that a slow generator does not improve the server's figures.
    let due: Int64
    /// How late the generator started the try, in nanoseconds.
    let lateness: Int64
    let device: StormDevice
    let path: AssociationPath

    init(
        token: SlotToken, socket: consuming Socket, session: TLSSession, due: Int64,
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
