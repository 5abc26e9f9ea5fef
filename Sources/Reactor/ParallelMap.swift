/// The same work for many things on a few threads, with the results in order.
package enum ParallelMap {
    private struct State<Value: Sendable, Failure: Error> {
        var next = 0
        var results: [Result<Value, Failure>?]
    }

    /// Calls `body` once for each index from 0 up to `count`, and returns when all calls have.
    ///
    /// - Parameters:
    ///   - threads: how many calls run at once. The calling thread is one of them, so that the work
    ///     is done also if no thread can be made.
    ///   - name: of the threads, to which a number is added (see ``WorkerThread``).
    /// - Returns: the values in the order of the indices.
    /// - Throws: what the call with the least index threw; the others were made as well.
    package static func run<Value: Sendable, Failure: Error>(
        _ count: Int, threads: Int, name: String,
        _ body: @escaping @Sendable (Int) throws(Failure) -> Value
    ) throws(Failure) -> [Value] {
        let state = Lock(State<Value, Failure>(results: Array(repeating: nil, count: count)))
        let turn: @Sendable () -> Void = {
            while true {
                let index = state.withLock { state -> Int? in
                    guard state.next < count else { return nil }
                    state.next += 1
                    return state.next - 1
                }
                guard let index else { return }
                let result = Result { () throws(Failure) in try body(index) }
                state.withLock { $0.results[index] = result }
            }
        }
        var helpers: [WorkerThread] = []
        for number in 1..<max(1, min(threads, count)) {
            guard let helper = try? WorkerThread(name: "\(name)-\(number)", turn) else { break }
            helpers.append(helper)
        }
        turn()
        for helper in helpers { helper.join() }
        let results = state.withLock { $0.results.compactMap { $0 } }
        return try results.map { result throws(Failure) in try result.get() }
    }
}
