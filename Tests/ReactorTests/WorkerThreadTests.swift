// Covers: ProcessLimits.swift, Signals.swift, WorkerThread.swift, Wakeup.swift
// Covers: FileWatcher.swift, DescriptorPassing.swift
import Glibc
import Synchronization
import TestSupport
import Testing

@testable import Reactor

@Suite struct WorkerThreadTests {
    @Test func runsItsJobAndWakesAPoller() throws {
        let wakeup = try Wakeup()
        let poller = try Poller()
        try poller.add(wakeup.descriptor, .read, token: 9)
        #expect(try poller.wait(timeout: .zero) == 0)
        let thread = try WorkerThread(name: "a-name-that-is-far-too-long") {
            for _ in 0..<3 { wakeup.signal() }
        }
        thread.join()
        thread.join()  // once is enough, twice is harmless
        #expect(try poller.wait(timeout: .seconds(30)) == 1)
        wakeup.drain()
        #expect(try poller.wait(timeout: .zero) == 0)
    }

    @Test func aRefusedThreadIsAnError() throws {
        #if DEBUG
            FaultInjection.arm(.pthreadCreate, number: EAGAIN)
            defer { FaultInjection.disarm() }
            #expect(throws: SystemError(call: "pthread_create", number: EAGAIN, subject: "x")) {
                _ = try WorkerThread(name: "x") {}
            }
        #endif
    }

    @Test func directoriesAreWatched() throws {
        let folder = try TemporaryFolder("watch")
        var watcher = try FileWatcher()
        try watcher.watch([folder.path, folder.path("missing")])
        #expect(watcher.count == 1)
        let poller = try Poller()
        try poller.add(watcher.descriptor, .read, token: 1)
        let quiet = watcher.drain()
        #expect(!quiet)
        try folder.write("file", "x")
        #expect(try poller.wait(timeout: .seconds(30)) == 1)
        let changed = watcher.drain()
        #expect(changed)
        // An atomic replacement is seen as well, again and again.
        for _ in 0..<2 {
            try folder.write("new", "y")
            rename(folder.path("new"), folder.path("file"))
            #expect(try poller.wait(timeout: .seconds(30)) == 1)
            let changed = watcher.drain()
            #expect(changed)
        }
        try watcher.watch([])
        #expect(watcher.count == 0)
    }

    @Test func descriptorsArePassedOn() throws {
        var pair: [Int32] = [0, 0]
        #expect(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &pair) == 0)
        let left = FileDescriptor(owning: pair[0])
        let right = FileDescriptor(owning: pair[1])
        var pipes: [Int32] = [0, 0]
        #expect(pipe(&pipes) == 0)
        let readEnd = FileDescriptor(owning: pipes[0])
        let writeEnd = FileDescriptor(owning: pipes[1])
        try DescriptorPassing.send([writeEnd.raw, readEnd.raw], over: left.raw)
        let received = try DescriptorPassing.receive(over: right.raw)
        #expect(received.count == 2)
        let copies = received.map { $0 }
        #expect(write(copies[0], "x", 1) == 1)
        var byte: UInt8 = 0
        #expect(read(readEnd.raw, &byte, 1) == 1 && byte == UInt8(ascii: "x"))
        for copy in copies {
            #expect(fcntl(copy, F_GETFD) & FD_CLOEXEC != 0)
            close(copy)
        }
    }

    @Test func processorsAreCounted() { #expect(ProcessLimits.processorCount >= 1) }
}
