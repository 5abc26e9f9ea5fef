import Glibc
import Synchronization

/// The standard streams of a command.
package enum StandardStream: Int32, Sendable {
    case input = 0
    case output = 1
    case error = 2

    /// Whether it is a terminal.
    package var isTerminal: Bool { isatty(rawValue) == 1 }

    /// The first `errno` of a failed write to ``output``, such as a full disk. A reader that closed
    /// the pipe is no failure.
    private static let lost = Atomic<Int32>(0)

    package static var outputFailure: SystemError? {
        let number = lost.load(ordering: .relaxed)
        return number == 0 ? nil : SystemError(call: "write", number: number)
    }

    /// Opens `/dev/null` for standard streams that are closed (`2>&-`). Otherwise the next file or
    /// client would get their number, and messages would be written to it.
    package static func fillClosed() {
        for number in 0...StandardStream.error.rawValue where fcntl(number, F_GETFD) < 0 {
            // open(2) returns the lowest free number: this one.
            _ = Glibc.open("/dev/null", O_RDWR)
        }
    }

    /// Writes everything, and waits for the reader as long as it takes. Stops without an error when
    /// the reader has closed the pipe. Another failure is kept in ``outputFailure``.
    package func write(_ bytes: [UInt8]) {
        let (_, error) = AppendedFile.offer(bytes, to: rawValue, patience: .seconds(Int64.max))
        guard let error, self == .output, !error.isBrokenPipe else { return }
        _ = Self.lost.compareExchange(expected: 0, desired: error.number, ordering: .relaxed)
    }
}
