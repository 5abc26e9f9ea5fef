package import AASAClient
package import OpenSSL
package import Reactor

/// Clients that are lent to one thread at a time and share what they speak TLS with: making that
/// reads the machine's roots, which takes longer than most requests.
// A client has no lock of its own; the pool's lock hands it from thread to thread, so that never
// two have it.
package final class ClientPool: @unchecked Sendable {
    private let resolver: Resolver
    private let stop: Wakeup?
    private let lock = Lock(())
    private var idle: [HTTPClient] = []
    private var contexts: ClientContexts?

    /// - Parameter stop: ends what its clients wait for (see ``HTTPClient``).
    package init(resolver: Resolver, stop: Wakeup? = nil) {
        self.resolver = resolver
        self.stop = stop
    }

    /// Lends a client for the time of the call.
    /// - Throws: ``OpenSSLError`` when the library is broken.
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
        // Two threads may make one each at the start; one of them stays.
        let made = try ClientContexts()
        return lock.withLock { _ in
            if let known = contexts { return known }
            contexts = made
            return made
        }
    }
}

/// Runs jobs on some threads and gives their results in the jobs' order.
enum SideBySide {
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

    /// - Parameter threads: how many jobs run at once; the calling thread is one of them, so that
    ///   work is done even where no thread can be made.
    /// - Returns: nil for a job that could not be run, because the library is broken.
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
