import Glibc
import TestSupport
import Testing

@testable import Reactor

/// All of it holds for a whole process, so each has one of its own.
@Suite struct ProcessLimitsTests {
    @Test func `The limit of descriptors is raised as far as it goes`() async {
        await #expect(processExitsWith: .success) {
            let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
            expectEqual(setrlimit(resource, [rlimit(rlim_cur: 100, rlim_max: 200)]), 0)
            for _ in 0..<2 {
                let raised = try ProcessLimits.raiseDescriptorLimit()
                expectEqual(raised, 200)
            }
            var limit = rlimit()
            expectEqual(getrlimit(resource, &limit), 0)
            expectEqual(limit.rlim_cur, 200)
        }
    }

    @Test func `Processors are counted that this thread may run on`() throws {
        func words() throws -> [Substring] {
            let status = String(
                decoding: try Files.read("/proc/thread-self/status", limit: 1 << 16), as: UTF8.self)
            return try #require(
                status.split(separator: "\n").first { $0.hasPrefix("Cpus_allowed:") }
            ).dropFirst("Cpus_allowed:".count).split { $0 == "," || $0 == "\t" }
        }
        let allowed = try words().compactMap { UInt32($0, radix: 16)?.nonzeroBitCount }
        expectEqual(ProcessLimits.processorCount, allowed.reduce(0, +))
    }

    @Test func `No program gains a privilege any more`() async {
        await #expect(processExitsWith: .success) {
            try ProcessLimits.forbidNewPrivileges()
            let status = try Files.read("/proc/thread-self/status", limit: 1 << 16)
            #expect(String(decoding: status, as: UTF8.self).contains("NoNewPrivs:\t1"))
        }
    }

    @Test func `A reader that is gone is an error, not the end`() async {
        await #expect(processExitsWith: .exitCode(7)) {
            signal(SIGPIPE, SIG_DFL)
            ProcessLimits.ignoreFailingWrites()
            var pipe = try Pipe()
            pipe.reading.close()
            #expect(write(pipe.writing.raw, [1], 1) == -1 && errno == EPIPE)
            exit(7)
        }
    }

    /// Also of a file in memory, which is what an upgrade hands over.
    @Test func `A limit on the size of files is an error, not the end`() async {
        await #expect(processExitsWith: .exitCode(7)) {
            signal(SIGXFSZ, SIG_DFL)
            ProcessLimits.ignoreFailingWrites()
            let resource = __rlimit_resource_t(RLIMIT_FSIZE.rawValue)
            expectEqual(setrlimit(resource, [rlimit(rlim_cur: 16, rlim_max: 16)]), 0)
            let failure = #expect(throws: SystemError.self) {
                try MemoryFile.make("limited", [UInt8](repeating: 1, count: 17))
            }
            expectEqual(failure?.number, EFBIG)
            exit(7)
        }
    }
}
