import CLinux
import Glibc

/// The result of a non-blocking read or write. Would-block and end of stream are results, not
/// errors.
package enum IOOutcome: Equatable, Sendable {
    /// The number of bytes transferred, at least one.
    case bytes(Int)
    /// Nothing can be transferred now; wait for readiness.
    case wouldBlock
    /// The peer closed its sending direction (reads only).
    case endOfStream
    case failed(SystemError)
}

/// Wraps system calls. `errno` is read directly after the call, before anything can change it.
///
/// * `EINTR` repeats the call, except for `close`, which on Linux has released the descriptor in
///   any case (close(2)): a second call could close one of another thread.
/// * `EBADF`, `EFAULT` and `ENOTSOCK` are our own bugs and crash: otherwise we might act on a wrong
/// descriptor.
enum Syscall {
    /// Repeats the call while it fails with `EINTR`; another negative result is thrown.
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

    /// A read or a write: would-block and end of stream become values. `emptyIsEnd` is for reads.
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
