import CLinux
import Glibc

/// What a non-blocking read or write came to. Would-block and end of stream are outcomes, not
/// errors.
package enum IOOutcome: Equatable, Sendable {
    /// That many bytes were moved, at least one.
    case bytes(Int)
    /// Nothing can be moved now; wait for readiness.
    case wouldBlock
    /// The peer has ended its sending direction (reads only).
    case endOfStream
    case failed(SystemError)
}

/// The only door to the kernel. `errno` is read right behind the call, with nothing between that
/// could change it.
///
/// * `EINTR` is answered by calling again, except for `close`, which on Linux has released the
///   descriptor whatever it returns (close(2)): a second call could close somebody else's.
/// * `EBADF`, `EFAULT` and `ENOTSOCK` are our own faults and crash: going on would mean acting on a
/// stranger's descriptor.
enum Syscall {
    /// Calls until the result is not `EINTR`; a negative result is thrown.
    @inline(__always)
    static func call<Result: SignedInteger>(
        _ name: StaticString, _ fault: FaultInjection.Call? = nil, _ body: () -> Result
    ) throws(SystemError) -> Result {
        while true {
            let injected = FaultInjection.take(fault)
            let result = injected == nil ? body() : -1
            if result >= 0 { return result }
            let number = injected ?? errno
            if number != EINTR { throw failure(name, number) }
        }
    }

    /// A read or a write: would-block and end of stream become values. `emptyIsEnd` holds for
    /// reads.
    @inline(__always)
    static func transfer(
        _ name: StaticString, _ fault: FaultInjection.Call, emptyIsEnd: Bool, _ body: () -> Int
    ) -> IOOutcome {
        while true {
            let injected = FaultInjection.take(fault)
            let result = injected == nil ? body() : -1
            if result > 0 { return .bytes(result) }
            if result == 0 { return emptyIsEnd ? .endOfStream : .wouldBlock }
            let number = injected ?? errno
            if number == EINTR { continue }
            if number == EAGAIN || number == EWOULDBLOCK { return .wouldBlock }
            return .failed(failure(name, number))
        }
    }

    static func failure(_ name: StaticString, _ number: Int32) -> SystemError {
        precondition(
            number != EBADF && number != EFAULT && number != ENOTSOCK,
            "\(name): errno \(number) can only come from a fault of our own")
        return SystemError(call: String(describing: name), number: number)
    }
}
