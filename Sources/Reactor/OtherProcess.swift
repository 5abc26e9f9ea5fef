import Glibc

/// What a process may know of another one.
package enum OtherProcess {
    /// Whether it exists, no matter which user owns it.
    package static func exists(_ process: ProcessID) -> Bool {
        kill(process, 0) == 0 || errno == EPERM
    }

    /// Whether a signal has stopped it (SIGSTOP, a debugger): the state behind its name in
    /// `/proc/PID/stat` (proc(5)).
    package static func isStopped(_ process: ProcessID) -> Bool {
        let text = (try? Files.read("/proc/\(process)/stat", limit: 4096)) ?? []
        let state = String(decoding: text, as: UTF8.self).split(separator: ")").last?
            .split(separator: " ").first
        return state == "T" || state == "t"
    }
}
