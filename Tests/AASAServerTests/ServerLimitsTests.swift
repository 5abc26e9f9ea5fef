import Testing

@testable import AASAServer

@Suite struct ServerLimitsTests {
    @Test func everyWorkerGetsItsShareOfTheDescriptors() {
        #expect(ServerLimits.connectionsMaximum(descriptors: 20_064, workers: 2) == 10_000)
        #expect(ServerLimits.connectionsMaximum(descriptors: 10, workers: 4) == 16)
        #expect(ServerLimits.connectionsMaximum(descriptors: 1064, workers: 0) == 1000)
    }

    @Test func `Keys made ahead are shared where there are many workers`() {
        #expect(ServerLimits.keyReservePairs(asked: nil, workers: 1) == 16_384)
        #expect(ServerLimits.keyReservePairs(asked: nil, workers: 4) == 16_384)
        #expect(ServerLimits.keyReservePairs(asked: nil, workers: 8) == 8192)
        #expect(ServerLimits.keyReservePairs(asked: 5, workers: 8) == 5)
    }

    @Test func `Pooled clients get more requests, and no more time`() {
        var limits = ServerLimits()
        limits.allowPooledClients()
        let phones = ServerLimits.standard
        #expect(limits.requestsPerConnection > phones.requestsPerConnection)
        #expect(limits.http2.requestsPerConnection == nil && limits.http2.bytes == .max)
        #expect(limits.http2.concurrentStreams > phones.http2.concurrentStreams)
        #expect(limits.headTime == phones.headTime && limits.idleTime == phones.idleTime)
        #expect(limits.http1 == phones.http1)
    }

    @Test func `What one connection can make us hold is the sum of three bounds`() {
        let limits = ServerLimits.standard
        #expect(limits.inputBytesPerConnection == 260 * 1024)
        #expect(limits.plaintextBytes == 96 * 1024)
    }
}
