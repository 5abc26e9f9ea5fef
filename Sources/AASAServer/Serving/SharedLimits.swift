/// The limits of a worker. Each of its connections keeps a reference and no copy.
package final class SharedLimits: Sendable {
    let values: ServerLimits
    // Nanoseconds, for what each request needs: to make them of a Duration takes a division of 128
    // bits.
    let idle, idleUnderPressure, answerGrace, life: Int64

    package init(_ values: ServerLimits) {
        self.values = values
        idle = values.idleTime.inNanoseconds
        idleUnderPressure = values.idleTimeUnderPressure.inNanoseconds
        answerGrace = values.answerGraceTime.inNanoseconds
        life = values.connectionTime.inNanoseconds
    }
}
