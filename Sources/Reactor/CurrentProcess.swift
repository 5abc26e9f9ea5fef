import CLinux
import Glibc

/// A process identifier (`pid_t`).
package typealias ProcessID = Int32
/// A user identifier (`uid_t`); 0 is root.
package typealias UserID = UInt32
/// A group identifier (`gid_t`).
package typealias GroupID = UInt32

/// Facts about this process.
package enum CurrentProcess {
    package static var id: ProcessID { getpid() }
    /// The effective user.
    package static var user: UserID { geteuid() }
    /// The effective group.
    package static var group: GroupID { getegid() }

    /// Bytes of a memory page.
    package static var pageBytes: Int { max(4096, sysconf(Int32(_SC_PAGESIZE))) }

    /// Bytes of the machine's memory; 0 if unknown.
    package static var machineBytes: Int { max(0, sysconf(Int32(_SC_PHYS_PAGES))) * pageBytes }

    /// Resident memory in bytes: the second number of `/proc/self/statm`, in pages (proc(5)); 0
    /// without `/proc`.
    package static var residentBytes: Int {
        let text = (try? Files.read("/proc/self/statm", limit: 4096)) ?? []
        let numbers = String(decoding: text, as: UTF8.self).split { $0 == " " || $0 == "\n" }
        return numbers.count > 1 ? (Int(numbers[1]) ?? 0) * pageBytes : 0
    }

    /// Gives memory that is free back to the kernel: glibc keeps what threads freed, so that it
    /// counts as resident (malloc_trim(3)). Some 10 ms for each GB of it.
    package static func returnFreeMemory() { CLinux_malloc_trim() }

    /// User and system time of all threads.
    package static var processorSeconds: Double {
        seconds(of: CLOCK_PROCESS_CPUTIME_ID)
    }

    /// The name of this machine (gethostname(2)).
    package static var hostName: String {
        var buffer = [CChar](repeating: 0, count: 256)
        guard gethostname(&buffer, buffer.count - 1) == 0 else { return "" }
        return String(
            decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// The arguments of this process, its name first. They do not come from `/proc`, as those of
    /// `CommandLine` do: a chroot may have none.
    package static var arguments: [String] {
        guard let words = CLinux_arguments() else { return CommandLine.arguments }
        return (0..<Int(CLinux_argument_count())).compactMap {
            words[$0].map { String(cString: $0) }
        }
    }

    /// The value of an environment variable.
    package static func variable(_ name: String) -> String? {
        getenv(name).map { String(cString: $0) }
    }

    /// Releases the memory of code that only the start needed: reading options, sites and keys
    /// touches two thirds of the program, serving a few pages. The kernel maps pages again on
    /// demand from the page cache (madvise(2), `MADV_DONTNEED` of unchanged file pages).
    package static func releaseCodePages() { _ = CLinux_release_code_pages() }

    /// Removes a variable from the environment of this process and its children. Call it before the
    /// first thread: environ(7) has no lock.
    package static func removeVariable(_ name: String) { unsetenv(name) }

    package static var environment: [String: String] {
        var variables: [String: String] = [:]
        var cursor = environ
        while let entry = cursor.pointee {
            let text = String(cString: entry)
            if let equals = text.firstIndex(of: "=") {
                variables[String(text[..<equals])] = String(text[text.index(after: equals)...])
            }
            cursor = cursor.advanced(by: 1)
        }
        return variables
    }

    /// Suspends the calling thread.
    package static func sleep(_ duration: Duration) {
        usleep(UInt32(clamping: max(0, duration.inNanoseconds / 1000)))
    }

    /// Ends the process.
    package static func exit(_ status: Int32) -> Never { Glibc.exit(status) }

    /// Ends the process without anything that is registered for its end and could wait (_exit(2)).
    package static func exitAtOnce(_ status: Int32) -> Never { _exit(status) }
}

/// The value of a clock of processor time (clock_gettime(2)).
func seconds(of clock: clockid_t) -> Double {
    var time = timespec()
    clock_gettime(clock, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

/// The time of day, for people and certificates. Intervals use ``MonotonicInstant``.
package enum WallClock {
    /// Seconds since 1970.
    package static var seconds: Int64 { Kernel.simulated?.now.wholeSeconds ?? Int64(time(nil)) }

    /// Milliseconds since 1970.
    package static var milliseconds: Int64 {
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        return Int64(now.tv_sec) * 1000 + Int64(now.tv_nsec) / 1_000_000
    }
}
