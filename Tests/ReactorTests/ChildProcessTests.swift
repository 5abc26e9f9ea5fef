import Glibc
import Reactor
import TestSupport
import Testing

@Suite struct ChildProcessTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder("child") }

    private func wait(_ process: pid_t) -> Int32 {
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        return status
    }

    @Test func `It gets its words, its variables and its descriptors; what is close-on-exec stays`()
        throws
    {
        var child = ChildProcess(
            "sh", ["sh", "-c", "echo $1 $NAME $HOME; cat <&3; ls /proc/self/fd", "-", "word"],
            environment: ["NAME": "value", "PATH": "/usr/bin:/bin"])
        let null = open("/dev/null", O_RDONLY | O_CLOEXEC)
        let hidden = fcntl(null, F_DUPFD_CLOEXEC, 200)
        defer { for descriptor in [null, hidden] { close(descriptor) } }
        try folder.write("in", "what was handed over\n")
        let handed = open(folder.path("in"), O_RDONLY | O_CLOEXEC)
        defer { close(handed) }
        let out = open(folder.path("out"), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        defer { close(out) }
        child.descriptors = [(null, 0), (out, 1), (out, 2), (handed, 3)]
        expectEqual(wait(try child.start()), 0)
        let lines = String(decoding: try folder.read("out"), as: UTF8.self)
            .split(separator: "\n").map(String.init)
        expectEqual(lines.prefix(2), ["word value", "what was handed over"])
        // The tests' own runner may have left it others.
        #expect(Set(lines.dropFirst(2)).isSuperset(of: ["0", "1", "2", "3"]))
        #expect(hidden >= 200 && !lines.contains("\(hidden)"))
    }

    @Test func `An orphan is somebody else's child as soon as it runs`() throws {
        var child = ChildProcess(
            "sh", ["sh", "-c", "exec >\"$OUT\"; echo $PPID; echo $NAME; exec sleep 60"],
            environment: ["NAME": "value", "OUT": folder.path("out"), "PATH": "/usr/bin:/bin"])
        child.isOrphan = true
        let process = try child.start()
        defer { kill(process, SIGKILL) }
        #expect(waitpid(process, nil, WNOHANG) == -1 && errno == ECHILD)
        let isWritten = eventually {
            let text = (try? folder.read("out")).map { String(decoding: $0, as: UTF8.self) }
            return text?.hasSuffix("value\n") ?? false
        }
        let lines = String(decoding: try folder.read("out"), as: UTF8.self).split(separator: "\n")
        #expect(isWritten && lines.first != "\(getpid())", "\(lines)")
    }

    @Test(arguments: [true, false])
    func `A program that is not there is an error that names it`(isOrphan: Bool) {
        var child = ChildProcess("/no/such/program", ["x"], environment: [:])
        child.isOrphan = isOrphan
        let error = #expect(throws: SystemError.self) { try child.start() }
        #expect(error?.number == ENOENT && error?.subject == "/no/such/program")
    }

    @Test func `A blocked signal of ours ends it all the same`() throws {
        var blocked = sigset_t()
        sigemptyset(&blocked)
        sigaddset(&blocked, SIGTERM)
        pthread_sigmask(SIG_BLOCK, &blocked, nil)
        defer { pthread_sigmask(SIG_UNBLOCK, &blocked, nil) }
        let child = ChildProcess("/bin/sleep", ["sleep", "600"], environment: [:])
        let process = try child.start()
        kill(process, SIGTERM)
        expectEqual(wait(process) & 0x7F, SIGTERM)
        let other = try child.start()
        ChildProcess.end(other)
        #expect(kill(other, 0) != 0, "it is reaped")
    }
}
