import Reactor

/// The result of a generator thread, for the thread that joins it.
final class ThreadResult: Sendable {
    private let stored = Lock<Result<StormReport, any Error>?>(nil)

    var isDone: Bool { stored.withLock { $0 != nil } }
    var value: Result<StormReport, any Error>? { stored.withLock { $0 } }

    func fill(_ body: () throws -> StormReport) {
        let result: Result<StormReport, any Error>
        do { result = .success(try body()) } catch { result = .failure(error) }
        stored.withLock { $0 = result }
    }
}
