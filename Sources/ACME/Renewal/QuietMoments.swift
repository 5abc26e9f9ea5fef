/// Certificate → the moment before which there is nothing to do for it.
struct QuietMoments: Sendable {
    private var moments: [LineageID: Int64] = [:]
    private var last: Int64 = .min

    mutating func clear() { moments = [:] }

    mutating func forget(_ id: LineageID) { moments[id] = nil }

    mutating func set(_ id: LineageID, _ moment: Int64) { moments[id] = moment }

    /// A turn begins. Of a clock that was set back nothing is known.
    mutating func begin(_ now: Int64) {
        if now < last { clear() }
        last = now
    }

    func isQuiet(_ id: LineageID, _ now: Int64) -> Bool { (moments[id] ?? .min) > now }

    /// The first of them to end.
    var first: Int64 { moments.values.min() ?? .max }
}
