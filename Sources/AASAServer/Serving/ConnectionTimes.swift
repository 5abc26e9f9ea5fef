import Reactor

/// The time limits of ``ServerLimits`` in nanoseconds, computed once and shared by all connections
/// of a worker.
package final class ConnectionTimes: Sendable {
    let firstByte: Int64
    let firstByteAfterQueue: Int64
    let waiting: Int64
    let handshake: Int64
    let head: Int64
    let idle: Int64
    let idleUnderPressure: Int64
    let drainIdle: Int64
    let answer: Int64
    let answerGrace: Int64
    let answerBytesPerSecond: Int64
    let linger: Int64
    let life: Int64
    let requestsMaximum: Int

    package init(_ limits: ServerLimits) {
        firstByte = limits.firstByteTime.inNanoseconds
        firstByteAfterQueue = limits.firstByteTimeAfterQueue.inNanoseconds
        waiting = limits.waitingTime.inNanoseconds
        handshake = limits.handshakeTime.inNanoseconds
        head = limits.headTime.inNanoseconds
        idle = limits.idleTime.inNanoseconds
        idleUnderPressure = limits.idleTimeUnderPressure.inNanoseconds
        drainIdle = limits.drainIdleTime.inNanoseconds
        answer = limits.answerTime.inNanoseconds
        answerGrace = limits.answerGraceTime.inNanoseconds
        answerBytesPerSecond = Int64(limits.answerBytesPerSecondMinimum)
        linger = limits.lingerTime.inNanoseconds
        life = limits.connectionTime.inNanoseconds
        requestsMaximum = limits.requestsPerConnection
    }
}
