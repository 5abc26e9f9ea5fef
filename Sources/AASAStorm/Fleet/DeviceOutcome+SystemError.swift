import Glibc
import Reactor

extension DeviceOutcome {
    /// What an error of the socket means to a device; a lack of this machine's is told apart.
    init(_ error: SystemError) {
        switch error.number {
        case ECONNREFUSED: self = .failed(.refused)
        case ECONNRESET, EPIPE: self = .failed(.reset)
        case ETIMEDOUT: self = .failed(.timedOut)
        case EADDRNOTAVAIL, EMFILE, ENFILE, ENOMEM, ENOBUFS: self = .failed(.generator)
        default: self = .failed(.cut)
        }
    }
}
