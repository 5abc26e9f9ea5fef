package import AASAClient
package import OpenSSL
package import Reactor

/// A pool of clients that share TLS contexts: creating those loads the system's roots, which takes
/// longer than most requests.
// A client has no lock of its own; the pool's lock ensures that only one thread uses it at a time.
package final class ClientPool: @unchecked Sendable {
    private let resolver: Resolver
    private let stop: Wakeup?
    private let lock = Lock(())
    private var idle: [HTTPClient] = []
    private var contexts: ClientContexts?

    /// - Parameter stop: ends the waits of its clients (see ``HTTPClient``).
    package init(resolver: Resolver, stop: Wakeup? = nil) {
        self.resolver = resolver
        self.stop = stop
    }

    /// Lends a client for the duration of the call.
    /// - Throws: ``OpenSSLError`` if the library is broken.
    package func lend<Value>(
        _ body: (HTTPClient) -> Value
    ) throws(OpenSSLError) -> Value {
        let client =
            if let known = lock.withLock({ _ in idle.popLast() }) { known } else {
                try HTTPClient(resolver: resolver, stop: stop, contexts: try sharedContexts())
            }
        defer { lock.withLock { _ in idle.append(client) } }
        return body(client)
    }

    private func sharedContexts() throws(OpenSSLError) -> ClientContexts {
        if let known = lock.withLock({ _ in contexts }) { return known }
        // At the start two threads may create one each; only one is kept.
        let made = try ClientContexts()
        return lock.withLock { _ in
            if let known = contexts { return known }
            contexts = made
            return made
        }
    }
}

/// Runs jobs on several threads and returns their results in the order of the jobs.
enum ParallelJobs {
    typealias Job<Value> = @Sendable (HTTPClient) -> Value

    private final class Work<Value: Sendable>: Sendable {
        private let state: Lock<(next: Int, results: [Value?])>

        init(_ count: Int) { state = Lock((0, Array(repeating: nil, count: count))) }

        func next() -> Int? {
            state.withLock { state in
                guard state.next < state.results.count else { return nil }
                state.next += 1
                return state.next - 1
            }
        }

        func finish(_ index: Int, _ value: Value) { state.withLock { $0.results[index] = value } }

        var results: [Value?] { state.withLock { $0.results } }
    }

    /// - Parameter threads: how many jobs run concurrently. The calling thread is one of them, so
    ///   that the work is done even if no thread can be created.
    /// - Returns: nil for a job that could not run, because the library is broken.
    static func run<Value: Sendable>(
        _ jobs: [Job<Value>], threads: Int, _ pool: ClientPool
    ) -> [Value?] {
        let work = Work<Value>(jobs.count)
        let turn: @Sendable () -> Void = {
            try? pool.lend { client in
                while let index = work.next() { work.finish(index, jobs[index](client)) }
            }
        }
        var helpers: [WorkerThread] = []
        for number in 1..<max(2, min(threads, jobs.count)) where threads > 1 {
            guard let helper = try? WorkerThread(name: "probe-\(number)", turn) else { break }
            helpers.append(helper)
        }
        turn()
        for helper in helpers { helper.join() }
        return work.results
    }
}
