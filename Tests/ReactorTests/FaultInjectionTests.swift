import Glibc
import Synchronization
import TestSupport
import Testing

@testable import Reactor

#if FAULT_INJECTION
    @Suite struct FaultInjectionTests {
        @Test func `The n-th call fails, so many times, and no other`() {
            FaultInjection.arm(.read, after: 3, times: 2, number: EIO)
            defer { FaultInjection.disarm() }
            let taken = (0..<6).map { _ in FaultInjection.take(.read) }
            expectEqual(taken, [nil, nil, EIO, EIO, nil, nil])
        }

        @Test func `Each kind of call has a fault of its own`() {
            for call in FaultInjection.Call.allCases {
                FaultInjection.arm(call, number: 1000 + call.rawValue)
            }
            defer { FaultInjection.disarm() }
            for call in FaultInjection.Call.allCases {
                #expect(FaultInjection.isPending(call))
                expectEqual(FaultInjection.take(call), 1000 + call.rawValue)
                #expect(!FaultInjection.isPending(call))
            }
        }

        @Test func `A call without a kind never fails`() {
            for call in FaultInjection.Call.allCases { FaultInjection.arm(call, number: EIO) }
            defer { FaultInjection.disarm() }
            #expect(FaultInjection.take(nil) == nil)
        }

        @Test func `What is to come is pending until it has come or is removed`() {
            FaultInjection.arm(.write, after: 2, number: ENOSPC)
            defer { FaultInjection.disarm() }
            #expect(FaultInjection.take(.write) == nil)
            #expect(FaultInjection.isPending(.write))
            FaultInjection.disarm()
            #expect(!FaultInjection.isPending(.write))
            #expect(FaultInjection.take(.write) == nil)
        }

        @Test func `Another thread is not hit`() throws {
            FaultInjection.arm(.read, number: EIO)
            defer { FaultInjection.disarm() }
            let isHit = Atomic(true)
            let other = try WorkerThread(name: "other") {
                isHit.store(
                    FaultInjection.isPending(.read) || FaultInjection.take(.read) != nil,
                    ordering: .relaxed)
            }
            other.join()
            expectEqual(isHit.load(ordering: .relaxed), false)
            expectEqual(FaultInjection.take(.read), EIO)
        }
    }
#endif
