import Glibc

/// The streams that a command has when it starts.
package enum StandardStream: Int32, Sendable {
    case input = 0
    case output = 1
    case error = 2

    /// Whether a person looks at it.
    package var isTerminal: Bool { isatty(rawValue) == 1 }

    /// Writes all of it, also where the stream does not block. A reader that went away ends the
    /// writing: nobody is left to tell.
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
                return
            }
        }
    }
}
