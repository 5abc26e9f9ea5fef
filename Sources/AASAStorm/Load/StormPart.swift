/// The share of a storm that one of several generators plays: each device whose number, divided by
/// ``count``, leaves ``index``.
///
/// Every part keeps the whole storm's schedule, so that together they give the same arrivals as one
/// generator would.
package struct StormPart: Sendable, Equatable {
    /// Counted from 0.
    package let index: Int
    /// How many generators there are.
    package let count: Int

    package static let whole = StormPart(index: 0, count: 1)
    /// Some machines more than anybody has rented for a test.
    package static let countMaximum = 1000

    private init(index: Int, count: Int) {
        self.index = index
        self.count = count
    }

    /// Reads `K/N`, counted from 1; `job/N` takes its number from the environment, as an Indexed
    /// Job of Kubernetes gives it (`JOB_COMPLETION_INDEX`, counted from 0).
    ///
    /// - Returns: `nil` when that is not what the text says.
    package init?(parsing text: String, jobIndex: String?) {
        let halves = text.split(separator: "/", omittingEmptySubsequences: false)
        guard halves.count == 2, let count = Int(halves[1]), (1...Self.countMaximum).contains(count)
        else { return nil }
        let number = halves[0] == "job" ? jobIndex.flatMap(Int.init).map { $0 + 1 } : Int(halves[0])
        guard let number, (1...count).contains(number) else { return nil }
        self.init(index: number - 1, count: count)
    }

    /// As it is written: `3/20`.
    package var text: String { "\(index + 1)/\(count)" }

    /// How many of the storm's devices it plays.
    package func share(of devices: Int) -> Int { max(0, (devices - index + count - 1) / count) }
}
