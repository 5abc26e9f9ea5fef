import Glibc
import TestSupport
import Testing

@testable import Reactor

@Suite struct SystemErrorTests {
    @Test func `It names the call, the kernel's words, the subject and the remedy`() {
        let plain = SystemError(call: "read", number: EIO)
        expectEqual(plain.description, "read: Input/output error")
        expectEqual(plain.about("/a").description, "read: Input/output error (/a)")
        expectEqual(plain.about("/a"), SystemError(call: "read", number: EIO, subject: "/a"))
        expectEqual(
            SystemError(call: "bind", number: EADDRINUSE, subject: "127.0.0.1:443").description,
            "bind: Address already in use (127.0.0.1:443); another process listens there: "
                + "stop it, or choose another port")
        #expect(SystemError(call: "x", number: 99_999).reason.contains("99999"))
    }

    @Test(arguments: [
        ("bind", EACCES, "CAP_NET_BIND_SERVICE"), ("bind", EADDRNOTAVAIL, "no interface"),
        ("accept4", EMFILE, "LimitNOFILE"), ("socket", ENFILE, "fs.file-max"),
        ("sendmsg", ENOBUFS, "out of memory"), ("sendmsg", ENOMEM, "out of memory"),
        ("inotify_add_watch", ENOSPC, "max_user_watches"),
        // Both limits end in the same number (inotify_init(2)).
        ("inotify_init1", EMFILE, "fs.inotify.max_user_instances"),
        ("inotify_init1", EMFILE, "LimitNOFILE"),
        ("pthread_create", EAGAIN, "TasksMax"), ("syncfs", ENOSYS, "seccomp"),
        ("prctl", EPERM, "seccomp"),
    ])
    func `The cause is the one that experience names`(
        call: String, number: Int32, words: String
    ) throws {
        let error = SystemError(call: call, number: number)
        #expect(try #require(error.likelyCause).contains(words))
        #expect("\(error)".hasSuffix(try #require(error.likelyCause)))
    }

    @Test(arguments: [
        ("connect", EADDRINUSE), ("open", EACCES), ("connect", EADDRNOTAVAIL), ("write", ENOSPC),
        ("recv", EAGAIN), ("connect", ECONNREFUSED),
    ])
    func `Where nothing is known nothing is said`(call: String, number: Int32) {
        #expect(SystemError(call: call, number: number).likelyCause == nil)
    }

    @Test func `Kinds of errors are told apart`() {
        func holding(_ kind: KeyPath<SystemError, Bool>) -> Set<Int32> {
            let numbers = (1...133 as ClosedRange<Int32>)
            return Set(numbers.filter { SystemError(call: "x", number: $0)[keyPath: kind] })
        }
        expectEqual(holding(\.isRefused), [ECONNREFUSED])
        expectEqual(holding(\.isReset), [ECONNRESET, EPIPE])
        expectEqual(holding(\.isBrokenPipe), [EPIPE])
        expectEqual(holding(\.isDenied), [EACCES, EPERM])
        expectEqual(holding(\.isTimeout), [ETIMEDOUT])
        expectEqual(holding(\.isAddressInUse), [EADDRINUSE])
        expectEqual(holding(\.isAddressUnknown), [EAFNOSUPPORT, EADDRNOTAVAIL])
        expectEqual(holding(\.isNoRoute), [ENETUNREACH, EAFNOSUPPORT, EADDRNOTAVAIL])
        expectEqual(
            holding(\.isOutOfResources), [EADDRNOTAVAIL, EMFILE, ENFILE, ENOMEM, ENOBUFS])
        expectEqual(SystemError.outOfDescriptors("open"), SystemError(call: "open", number: EMFILE))
    }

    @Test func `The cause of a refused name fits its family`() {
        func cause(_ subject: String) -> String? {
            SystemError(call: "bind", number: EACCES, subject: subject).likelyCause
        }
        expectEqual(cause("unix:/run/aasa/1.sock")?.contains("enter and write its folder"), true)
        expectEqual(cause("0.0.0.0:443")?.contains("1024"), true)
    }
}
