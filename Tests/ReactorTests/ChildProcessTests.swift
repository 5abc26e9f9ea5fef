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

    @Test func `It gets its words, its variables and its files; what is close-on-exec stays`()
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
        child.files = [
            (0, "/dev/null", O_RDONLY, 0),
            (1, folder.path("out"), O_WRONLY | O_CREAT, 0o600),
            (2, folder.path("out"), O_WRONLY | O_APPEND, 0),
        ]
        child.descriptors = [(handed, 3)]
        #expect(wait(try child.start()) == 0)
        let lines = String(decoding: try folder.read("out"), as: UTF8.self)
            .split(separator: "\n").map(String.init)
        #expect(lines.prefix(2) == ["word value", "what was handed over"])
        // The tests' own runner may have left it others.
        #expect(Set(lines.dropFirst(2)).isSuperset(of: ["0", "1", "2", "3"]))
        #expect(hidden >= 200 && !lines.contains("\(hidden)"))
    }

    @Test func `An orphan is somebody else's child as soon as it runs`() throws {
        var child = ChildProcess(
            "sh", ["sh", "-c", "echo $PPID; echo $NAME; exec sleep 60"],
            environment: ["NAME": "value", "PATH": "/usr/bin:/bin"])
        child.isOrphan = true
        child.files = [(1, folder.path("out"), O_WRONLY | O_CREAT, 0o600)]
        let process = try child.start()
        defer { kill(process, SIGKILL) }
        #expect(waitpid(process, nil, WNOHANG) == -1 && errno == ECHILD)
        let isWritten = try eventually {
            String(decoding: try folder.read("out"), as: UTF8.self).hasSuffix("value\n")
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

    @Test func `A blocked signal of ours ends it all the same; its end is noticed`() throws {
        var blocked = sigset_t()
        sigemptyset(&blocked)
        sigaddset(&blocked, SIGTERM)
        pthread_sigmask(SIG_BLOCK, &blocked, nil)
        defer { pthread_sigmask(SIG_UNBLOCK, &blocked, nil) }
        var child = ChildProcess("/bin/sleep", ["sleep", "600"], environment: [:])
        child.leadsGroup = true
        let process = try child.start()
        #expect(getpgid(process) == process)
        #expect(!ChildProcess.hasEnded(process))
        kill(process, SIGTERM)
        #expect(wait(process) & 0x7F == SIGTERM)
        let other = try child.start()
        ChildProcess.end(other)
        #expect(kill(other, 0) != 0, "it is reaped")
    }

    @Test func `It is kept from running and let run again`() throws {
        let child = ChildProcess(
            "sh", ["sh", "-c", "while :; do :; done"], environment: ["PATH": "/usr/bin:/bin"])
        let process = try child.start()
        #expect(eventually { ChildProcess.processorSeconds(of: process) > 0 })
        ChildProcess.pause(process)
        var status: Int32 = 0
        #expect(waitpid(process, &status, WUNTRACED) == process)
        #expect(status & 0xFF == 0x7F, "it stands (wait(2))")
        // It says that it stands a moment before it does.
        func growth() -> Double {
            let before = ChildProcess.processorSeconds(of: process)
            usleep(100_000)
            return ChildProcess.processorSeconds(of: process) - before
        }
        #expect(growth() == 0 || growth() == 0)
        let used = ChildProcess.processorSeconds(of: process)
        ChildProcess.resume(process)
        #expect(eventually { ChildProcess.processorSeconds(of: process) > used })
        ChildProcess.end(process)
        #expect(ChildProcess.processorSeconds(of: process) == 0)
    }

    @Test func `A file is read, and another is made and added to`() throws {
        try folder.write("in", "a\n")
        var child = ChildProcess("cat", ["cat"], environment: ["PATH": "/usr/bin:/bin"])
        child.files = [
            (0, folder.path("in"), ChildProcess.readFlags, 0),
            (1, folder.path("out"), ChildProcess.appendFlags, 0o600),
        ]
        for _ in 1...2 { #expect(wait(try child.start()) == 0) }
        #expect(try folder.read("out") == Array("a\na\n".utf8))
    }
}
