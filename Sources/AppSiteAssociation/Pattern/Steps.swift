/// The steps that are left for one piece of work: comparing patterns and texts costs at most the
/// product of their lengths, and a hostile document could ask for billions. When they are spent,
/// every comparison is "no", and the caller that began the work reports it.
final class Steps {
    private(set) var left: Int

    /// - Parameter limit: unlimited by default.
    init(_ limit: Int = .max) { left = limit }

    var isSpent: Bool { left <= 0 }

    /// Whether there are still steps left afterwards.
    @discardableResult
    func spend(_ count: Int = 1) -> Bool {
        left = max(0, left - count)
        return left > 0
    }
}
