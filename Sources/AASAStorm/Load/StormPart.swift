/// One of several generators' share of a storm: the devices whose number modulo ``count`` is
/// ``index``.
///
/// Every part uses the whole storm's schedule, so that together they produce the same arrivals as
/// one generator.
package struct StormPart: Sendable, Equatable {
    /// From 0.
    package let index: Int
    /// The number of generators.
    package let count: Int

    package static let whole = StormPart(index: 0, count: 1)
    /// More machines than anybody has rented for a test.
    package static let countMaximum = 1000

    private init(index: Int, count: Int) {
        self.index = index
        self.count = count
    }

    /// Parses `K/N`, counted from 1; `job/N` takes its number from the environment, as set by an
    /// Indexed Job of Kubernetes (`JOB_COMPLETION_INDEX`, counted from 0).
    ///
    /// - Returns: `nil` if the text is invalid.
    package init?(parsing text: String, jobIndex: String?) {
        let halves = text.split(separator: "/", omittingEmptySubsequences: false)
        guard halves.count == 2, let count = Int(halves[1]), (1...Self.countMaximum).contains(count)
        else { return nil }
        let index = halves[0] == "job" ? jobIndex.flatMap(Int.init) : Int(halves[0])
        let first = halves[0] == "job" ? 0 : 1
        guard let index, (first..<first + count).contains(index) else { return nil }
        self.init(index: index - first, count: count)
    }

    /// The same format: `3/20`.
    package var text: String { "\(index + 1)/\(count)" }

    /// How many of the storm's devices it simulates.
    package func share(of devices: Int) -> Int { max(0, (devices - index + count - 1) / count) }
}
