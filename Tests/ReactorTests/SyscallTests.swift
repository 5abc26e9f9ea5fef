import Glibc
import TestSupport
import Testing

@testable import Reactor

@Suite struct SyscallTests {
    /// Results in their order; a negative one is `errno`, and -1 is returned.
    private final class Kernel {
        private var results: [Int]
        init(_ results: [Int]) { self.results = results }

        var isDone: Bool { results.isEmpty }

        func answer() -> Int {
            let result = results.removeFirst()
            if result >= 0 { return result }
            errno = Int32(-result)
            return -1
        }
    }

    @Test func `An interrupted call is made again`() throws {
        let kernel = Kernel([-Int(EINTR), -Int(EINTR), 5])
        try expectEqual(Syscall.call("open") { kernel.answer() }, 5)
        let zero = Kernel([0])
        try expectEqual(Syscall.call("open") { zero.answer() }, 0)
        let transfer = Kernel([-Int(EINTR), 3])
        let outcome = Syscall.transfer("recv", .recv, emptyIsEnd: true) { transfer.answer() }
        #expect(outcome == .bytes(3) && transfer.isDone)
    }

    @Test func `Every other failure is thrown with its number`() {
        for number in [EAGAIN, EMFILE, EPIPE] {
            let kernel = Kernel([-Int(number)])
            #expect(throws: SystemError(call: "open", number: number)) {
                _ = try Syscall.call("open") { kernel.answer() }
            }
        }
    }

    @Test func `A transfer comes to bytes, to nothing now, to the end or to an error`() {
        func outcome(_ result: Int, isReading: Bool) -> IOOutcome {
            let kernel = Kernel([result])
            return Syscall.transfer("recv", .recv, emptyIsEnd: isReading) { kernel.answer() }
        }
        expectEqual(outcome(1, isReading: true), .bytes(1))
        expectEqual(outcome(0, isReading: true), .endOfStream)
        expectEqual(outcome(0, isReading: false), .wouldBlock)
        expectEqual(outcome(-Int(EAGAIN), isReading: true), .wouldBlock)
        let reset = SystemError(call: "recv", number: ECONNRESET)
        expectEqual(outcome(-Int(ECONNRESET), isReading: true), .failed(reset))
    }

    #if FAULT_INJECTION
        @Test func `An injected fault stands for the call, which is not made`() throws {
            defer { FaultInjection.disarm() }
            FaultInjection.arm(.open, number: EACCES)
            let kernel = Kernel([4])
            #expect(throws: SystemError(call: "open", number: EACCES)) {
                _ = try Syscall.call("open", .open) { kernel.answer() }
            }
            FaultInjection.arm(.recv, number: EAGAIN)
            let outcome = Syscall.transfer("recv", .recv, emptyIsEnd: true) { kernel.answer() }
            expectEqual(outcome, .wouldBlock)
            #expect(!kernel.isDone)
        }
    #endif

    /// Going on would mean acting on a stranger's descriptor.
    @Test func `A descriptor that is not ours ends the process`() async {
        await #expect(processExitsWith: .failure) { _ = Syscall.failure("recv", EBADF) }
        await #expect(processExitsWith: .failure) { _ = Syscall.failure("recv", EFAULT) }
        await #expect(processExitsWith: .failure) { _ = Syscall.failure("recv", ENOTSOCK) }
        await #expect(processExitsWith: .success) { _ = Syscall.failure("recv", EINVAL) }
    }
}
