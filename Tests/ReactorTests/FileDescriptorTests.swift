import Glibc
import TestSupport
import Testing

@testable import Reactor

@Suite struct FileDescriptorTests {
    /// A number that no other test gets meanwhile: the kernel gives the lowest that is free.
    private func make(from lowest: Int32) throws -> Int32 {
        let null = FileDescriptor(owning: open("/dev/null", O_RDONLY | O_CLOEXEC))
        return try FileDescriptor.duplicate(null.raw, from: lowest)
    }

    private func isOpen(_ number: Int32) -> Bool { fcntl(number, F_GETFD) >= 0 }

    @Test func `It is closed when its owner goes, and not when it was handed on`() throws {
        let number = try make(from: 900)
        do {
            let owner = FileDescriptor(owning: number)
            #expect(isOpen(owner.raw))
        }
        #expect(!isOpen(number))
        let other = try make(from: 910)
        do {
            var owner = FileDescriptor(owning: other)
            expectEqual(owner.release(), other)
            expectEqual(owner.raw, -1)
        }
        #expect(isOpen(other))
        FileDescriptor.close(other)
        #expect(!isOpen(other))
    }

    @Test func `It is closed once`() throws {
        var owner = FileDescriptor(owning: try make(from: 920))
        let number = owner.raw
        owner.close()
        #expect(!isOpen(number))
        owner.close()
        expectEqual(owner.raw, -1)
    }

    @Test func `A copy has a number of its own, at or above the lowest`() throws {
        let first = FileDescriptor(owning: try make(from: 930))
        let copy = try FileDescriptor.duplicate(first.raw, from: 940)
        defer { FileDescriptor.close(copy) }
        #expect(copy >= 940 && copy != first.raw)
        #expect(fcntl(copy, F_GETFD) & FD_CLOEXEC != 0)
        FaultInjection.arm(.fcntl, number: EMFILE)
        defer { FaultInjection.disarm() }
        #expect(throws: SystemError(call: "fcntl", number: EMFILE)) {
            try FileDescriptor.duplicate(copy)
        }
    }
}
