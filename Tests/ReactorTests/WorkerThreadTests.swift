// Covers: Wakeup.swift
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
        try expectEqual(poller.wait(timeout: .zero), 0)
        let thread = try WorkerThread(name: "a-name-that-is-far-too-long") {
            for _ in 0..<3 { wakeup.signal() }
        }
        thread.join()
        thread.join()  // once is enough, twice is harmless
        try expectEqual(poller.wait(timeout: .seconds(30)), 1)
        wakeup.drain()
        try expectEqual(poller.wait(timeout: .zero), 0)
    }

    /// The stack of a thread that is neither joined nor detached stays mapped (pthread_join(3)).
    @Test func aThreadThatNobodyJoinsLeavesNoStack() throws {
        func mappedBytes() throws -> Int {
            let text = try Files.read("/proc/self/statm", limit: 4096)
            let pages = Int(String(decoding: text.prefix { $0 != 0x20 }, as: UTF8.self)) ?? 0
            return pages * CurrentProcess.pageBytes
        }
        let (threads, stackBytes) = (400, 8 << 20)
        let before = try mappedBytes()
        for _ in 0..<threads {
            let wakeup = try Wakeup()
            let poller = try Poller()
            try poller.add(wakeup.descriptor, .read, token: 1)
            _ = try WorkerThread(name: "dropped") { wakeup.signal() }
            try expectEqual(poller.wait(timeout: .seconds(30)), 1)
        }
        // Other tests map as well: half of what would be left is no doubt.
        #expect(try mappedBytes() - before < threads * stackBytes / 2)
    }

    @Test func aRefusedThreadIsAnError() throws {
        #if FAULT_INJECTION
            FaultInjection.arm(.pthreadCreate, number: EAGAIN)
            defer { FaultInjection.disarm() }
            #expect(throws: SystemError(call: "pthread_create", number: EAGAIN, subject: "x")) {
                _ = try WorkerThread(name: "x") {}
            }
        #endif
    }
}
