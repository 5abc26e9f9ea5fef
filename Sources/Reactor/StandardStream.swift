import Glibc
import Synchronization

/// The streams that a command has when it starts.
package enum StandardStream: Int32, Sendable {
    case input = 0
    case output = 1
    case error = 2

    /// Whether a person looks at it.
    package var isTerminal: Bool { isatty(rawValue) == 1 }

    /// Why something that was written to ``output`` did not arrive, such as a full disk: the first
    /// reason, as `errno`. A reader that went away is none.
    private static let lost = Atomic<Int32>(0)

    package static var outputFailure: SystemError? {
        let number = lost.load(ordering: .relaxed)
        return number == 0 ? nil : SystemError(call: "write", number: number)
    }

    /// Puts `/dev/null` in the place of streams that were closed (`2>&-`): the next file or client
    /// would get their number, and what is meant for people would be written to it.
    package static func fillClosed() {
        for number in 0...StandardStream.error.rawValue where fcntl(number, F_GETFD) < 0 {
            // The lowest free number: this one.
            _ = Glibc.open("/dev/null", O_RDWR)
        }
    }

    /// Writes all of it, also where the stream does not block. A reader that went away ends the
    /// writing: nobody is left to tell. Another failure is kept in ``outputFailure``.
    package func write(_ bytes: [UInt8]) {
        var offset = 0
        while offset < bytes.count {
            let count = bytes[offset...].withUnsafeBytes {
                Glibc.write(rawValue, $0.baseAddress, $0.count)
            }
            if count > 0 {
                offset += count
            } else if errno == EAGAIN {
                _ = Waiting.wait([.init(rawValue, .writing)], until: .now() + .seconds(1))
            } else if errno != EINTR {
                if self == .output, errno != EPIPE {
                    _ = Self.lost.compareExchange(
                        expected: 0, desired: errno, ordering: .relaxed)
                }
                return
            }
        }
    }
}
