import TestSupport
import Testing

@testable import AASAServer

@Suite struct ServerLimitsTests {
    @Test func everyWorkerGetsItsShareOfTheDescriptors() {
        expectEqual(ServerLimits.connectionsMaximum(descriptors: 20_064, workers: 2), 10_000)
        expectEqual(ServerLimits.connectionsMaximum(descriptors: 10, workers: 4), 16)
        expectEqual(ServerLimits.connectionsMaximum(descriptors: 1064, workers: 0), 1000)
    }

    @Test func `Keys made ahead are shared where there are many workers`() {
        expectEqual(ServerLimits.keyReservePairs(asked: nil, workers: 1), 16_384)
        expectEqual(ServerLimits.keyReservePairs(asked: nil, workers: 4), 16_384)
        expectEqual(ServerLimits.keyReservePairs(asked: nil, workers: 8), 8192)
        expectEqual(ServerLimits.keyReservePairs(asked: 5, workers: 8), 5)
    }

    @Test func `Pooled clients get more requests, and no more time`() {
        var limits = ServerLimits()
        limits.allowPooledClients()
        let phones = ServerLimits.standard
        #expect(limits.requestsPerConnection > phones.requestsPerConnection)
        #expect(limits.http2.requestsPerConnection == nil && limits.http2.bytes == .max)
        #expect(limits.http2.concurrentStreams > phones.http2.concurrentStreams)
        #expect(limits.headTime == phones.headTime && limits.idleTime == phones.idleTime)
        expectEqual(limits.http1, phones.http1)
    }

    @Test func `What one connection can make us hold is the sum of three bounds`() {
        let limits = ServerLimits.standard
        expectEqual(limits.inputBytesPerConnection, 260 * 1024)
        expectEqual(limits.plaintextBytes, 96 * 1024)
    }
}
