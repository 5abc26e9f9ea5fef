import Glibc

/// A failed system call: its name, its `errno`, and the usual cause.
package struct SystemError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The call's name as in its manual page, for instance `"bind"`.
    package let call: String
    /// The value of `errno` right after the call.
    package let number: Int32
    /// The object of the call (an address, a path); empty if there is none.
    package let subject: String

    package init(call: String, number: Int32, subject: String = "") {
        self.call = call
        self.number = number
        self.subject = subject
    }

    /// The same error with its subject, for display.
    package func about(_ subject: String) -> SystemError {
        SystemError(call: call, number: number, subject: subject)
    }

    /// The text of ``number``, for instance `Address already in use`.
    package var reason: String {
        // strerror(3) may return a static buffer that another thread overwrites.
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { buffer in
            guard let start = buffer.baseAddress, strerror_r(number, start, buffer.count) == 0
            else { return "error \(number)" }
            return String(cString: start)
        }
    }

    package var description: String {
        let about = subject.isEmpty ? "" : " (\(subject))"
        let advice = likelyCause.map { "; \($0)" } ?? ""
        return "\(call): \(reason)\(about)\(advice)"
    }

    /// No process listens there.
    package var isRefused: Bool { number == ECONNREFUSED }
    /// The peer closed the connection prematurely.
    package var isReset: Bool { number == ECONNRESET || number == EPIPE }
    /// The peer no longer receives.
    package var isBrokenPipe: Bool { number == EPIPE }
    /// This user has no permission.
    package var isDenied: Bool { number == EACCES || number == EPERM }
    package var isTimeout: Bool { number == ETIMEDOUT }
    /// The call would have to wait, or has waited as long as it may.
    package var isWouldBlock: Bool { number == EAGAIN }
    package var isAddressInUse: Bool { number == EADDRINUSE }
    /// No interface has the address, or the machine does not support its protocol.
    package var isAddressUnknown: Bool { number == EAFNOSUPPORT || number == EADDRNOTAVAIL }
    /// The machine has no way to the address: no route, no address of its own for it, or not even
    /// its protocol. From connect(2) and socket(2) themselves: what a router says comes later.
    package var isNoRoute: Bool { number == ENETUNREACH || isAddressUnknown }
    /// The machine is out of descriptors, ports or memory.
    package var isOutOfResources: Bool {
        [EADDRNOTAVAIL, EMFILE, ENFILE, ENOMEM, ENOBUFS].contains(number)
    }
    /// The error of a process without free descriptors.
    package static func outOfDescriptors(_ call: String) -> SystemError {
        SystemError(call: call, number: EMFILE)
    }

    /// The likely cause and its fix, if known.
    package var likelyCause: String? {
        switch (call, number) {
        case ("bind", EADDRINUSE): "another process listens there: stop it, or choose another port"
        case ("bind", EACCES) where subject.hasPrefix("unix:"):
            "user \(geteuid()) needs permission to enter and write its folder"
        case ("bind", EACCES):
            "ports below 1024 need CAP_NET_BIND_SERVICE or a socket handed over by systemd"
        case ("bind", EADDRNOTAVAIL): "no interface of this machine has that address"
        // Its number for too few descriptors as well (inotify_init(2)); the other limit is lower.
        case ("inotify_init1", EMFILE):
            "no inotify instance or descriptor is left: raise fs.inotify.max_user_instances or LimitNOFILE (`ulimit -n`)"
        case (_, EMFILE): "no file descriptor is left: raise LimitNOFILE or `ulimit -n`"
        case (_, ENFILE): "the machine is out of file descriptors (fs.file-max)"
        case (_, ENOBUFS), (_, ENOMEM): "the kernel is out of memory for this call"
        case ("inotify_add_watch", ENOSPC): "no watch is left: raise fs.inotify.max_user_watches"
        case ("pthread_create", EAGAIN): "the limit on threads is reached (TasksMax, ulimit -u)"
        case (_, ENOSYS), (_, EPERM): "a seccomp filter or the container may forbid this call"
        default: nil
        }
    }
}
