import Reactor

/// Appends to a file on a thread of its own: a disk that does not answer (frozen, or far away)
/// holds up only that thread, and no thread that logs.
///
/// A writer waits a while for its own bytes, so that they are in the file when the call
/// returns. Once that took too long, no writer waits until the disk answers again: what is written
/// meanwhile is kept, up to a bound.
final class FileAppender: Sendable {
    /// Thousands of lines.
    static let bytesMaximum = 1 << 20
    /// After a failed reopening it is tried again this often: an obstacle that a person removes is
    /// gone for the log soon after, and a folder that stays closed costs six calls a minute.
    static let retryInterval: Duration = .seconds(10)

    private enum Job: Sendable {
        case write([UInt8])
        case reopen

        var size: Int { if case .write(let bytes) = self { bytes.count } else { 0 } }
    }

    private struct Work: Sendable {
        /// Those that the thread has not begun.
        var jobs: [Job] = []
        /// How many are not finished, and the bytes of their writes.
        var unfinished = 0
        var bytes = 0
        /// Of the last job that was finished.
        var writeFailure: SystemError?
        /// Why the old file is still written; nil: the path is what is written.
        var openFailure: Problem?
        /// Writes that failed, or were not taken.
        var lost: UInt64 = 0
        /// More was written than is kept: nothing is until all is finished, so that there is one
        /// gap.
        var isFull = false
        var isEnding = false
    }

    private let open: @Sendable () throws(Problem) -> Int32
    private let patience: Duration
    private let retryInterval: Duration
    private let work = Lock(Work())
    /// One caller at a time: who holds it has given the last job.
    private let turn = Lock(())
    private let begun: Wakeup
    private let done: Wakeup

    /// - Parameters:
    ///   - descriptor: of the open file, owned by the appender.
    ///   - patience: how long a caller waits for the disk.
    ///   - open: reopens the path after a rotation.
    init(
        owning descriptor: Int32, patience: Duration,
        retryInterval: Duration = FileAppender.retryInterval,
        open: @escaping @Sendable () throws(Problem) -> Int32
    ) throws(SystemError) {
        self.open = open
        self.patience = patience
        self.retryInterval = retryInterval
        begun = try Wakeup()
        done = try Wakeup()
        // It may start before the program's signals are blocked for all threads to come.
        _ = try Signals.blockingAll { () throws(SystemError) in
            try WorkerThread(name: "aasa-log") { self.run(descriptor) }
        }
    }

    /// Writes that were lost since the start.
    var lost: UInt64 { work.withLock { $0.lost } }

    /// Why the path could not be reopened after a rotation; nil: it was, or need not be.
    var reopenFailure: Problem? { work.withLock { $0.openFailure } }

    /// - Returns: why it was not written; nil: it was, or is to be once the disk answers.
    func write(_ bytes: [UInt8]) -> SystemError? {
        turn.withLock { _ in
            guard let isBehind = give(.write(bytes)) else { return AppendedFile.unanswered }
            // Earlier bytes are still under way: their writer has waited in vain.
            return isBehind ? nil : wait()?.writeFailure
        }
    }

    /// Reopens the path; if that fails, the old file stays in use, and the thread tries again.
    ///
    /// - Parameter path: for the problem.
    /// - Returns: why it is not reopened; nil: it is.
    func reopen(_ path: String) -> Problem? {
        turn.withLock { _ in
            if give(.reopen) != nil, let outcome = wait() { return outcome.openFailure }
            return Problem(.diskHangs, at: path)
        }
    }

    /// Ends the thread and closes the file once all is written; does not wait for it.
    func end() {
        work.withLock { $0.isEnding = true }
        begun.signal()
    }

    /// - Returns: whether earlier jobs are not finished; nil: the job is not taken.
    private func give(_ job: Job) -> Bool? {
        let isBehind = work.withLock { work -> Bool? in
            if job.size > 0, work.bytes > 0, work.bytes + job.size > Self.bytesMaximum {
                work.isFull = true
            }
            if job.size > 0, work.isFull {
                work.lost += 1
                return nil
            }
            work.jobs.append(job)
            work.bytes += job.size
            work.unfinished += 1
            return work.unfinished > 1
        }
        if isBehind != nil { begun.signal() }
        return isBehind
    }

    /// Waits until all jobs are finished.
    ///
    /// - Returns: nil if it takes too long.
    private func wait() -> Work? {
        let deadline = MonotonicInstant.now() + patience
        while true {
            let now = work.withLock { $0 }
            if now.unfinished == 0 { return now }
            guard Waiting.wait([.init(done.descriptor)], until: deadline)[0] else { return nil }
            done.drain()
        }
    }

    // MARK: The thread

    private func run(_ first: Int32) {
        var descriptor = first
        while true {
            let waits = reopenFailure == nil
            let until = waits ? .distantFuture : MonotonicInstant.now() + retryInterval
            if !Waiting.wait([.init(begun.descriptor)], until: until)[0] { reopen(&descriptor) }
            begun.drain()
            while let job = work.withLock({ $0.jobs.isEmpty ? nil : $0.jobs.removeFirst() }) {
                perform(job, &descriptor)
                done.signal()
            }
            if work.withLock({ $0.isEnding && $0.jobs.isEmpty }) { break }
        }
        FileDescriptor.close(descriptor)
    }

    private func perform(_ job: Job, _ descriptor: inout Int32) {
        var failure: SystemError?
        switch job {
        case .write(let bytes): failure = AppendedFile.write(bytes, to: descriptor)
        case .reopen: reopen(&descriptor)
        }
        work.withLock { [failure] work in
            work.bytes -= job.size
            work.unfinished -= 1
            work.writeFailure = failure
            if failure != nil { work.lost += 1 }
            if work.unfinished == 0 { work.isFull = false }
        }
    }

    private func reopen(_ descriptor: inout Int32) {
        var failure: Problem?
        do throws(Problem) {
            let fresh = try open()
            FileDescriptor.close(descriptor)
            descriptor = fresh
        } catch {
            failure = error
        }
        work.withLock { [failure] in $0.openFailure = failure }
    }
}
