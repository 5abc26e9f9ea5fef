@testable import AASAServer

/// Seconds of a server's life, made up: what each second adds.
struct Life {
    var watch = LoadMonitor()
    var sample = LoadSample(time: 0)
    private(set) var second: Int64 = 0

    init(processors: Int = 2) { sample.processors = processors }

    mutating func pass(_ seconds: Int, _ add: (inout LoadSample) -> Void) {
        for _ in 0..<seconds {
            second += 1
            sample.time += 1
            add(&sample)
            watch.take(sample, now: second)
        }
    }

    /// An ordinary second.
    mutating func calm(_ seconds: Int) {
        pass(seconds) {
            $0.traffic.accepted += 20
            $0.traffic.handshakes += 20
            $0.traffic.served += 20
            $0.waitedCount += 20
            $0.waitedSeconds += 0.01
            $0.traffic.processorSeconds += 0.05
            $0.connections.waiting = 0
        }
    }

    /// More clients come than the processor can serve: some leave.
    mutating func storm(_ seconds: Int, processors: Double = 1.95) {
        pass(seconds) {
            $0.traffic.accepted += 900
            $0.traffic.handshakes += 180
            $0.traffic.served += 180
            $0.traffic.gaveUp += 500
            $0.waitedCount += 180
            $0.waitedSeconds += 180 * 3
            $0.traffic.processorSeconds += processors
            $0.connections.waiting += 100
        }
    }
}
