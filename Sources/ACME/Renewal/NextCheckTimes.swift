/// For each certificate the time before which it needs nothing. It is scanned at every turn, so it
/// is an array in the order of the certificates.
struct NextCheckTimes: Sendable {
    private var moments: [Int64] = []
    private var places: [LineageID: Int] = [:]
    private var last: Int64 = .min

    /// Resets to unknown times for these certificates.
    mutating func reset(_ ids: [LineageID]) {
        moments = Array(repeating: .min, count: ids.count)
        places = Dictionary(ids.enumerated().map { ($1, $0) }) { first, _ in first }
    }

    mutating func forget(_ id: LineageID) {
        if let place = places[id] { moments[place] = .min }
    }

    mutating func set(_ place: Int, _ moment: Int64) { moments[place] = moment }

    /// The indices of certificates that are due. If the clock was set back, all times are unknown.
    mutating func places(at now: Int64) -> [Int] {
        if now < last { for place in moments.indices { moments[place] = .min } }
        last = now
        var found: [Int] = []
        for (place, moment) in moments.enumerated() where moment <= now { found.append(place) }
        return found
    }

    /// The earliest time in the future.
    func first(after now: Int64) -> Int64 {
        var first = Int64.max
        for moment in moments where moment > now && moment < first { first = moment }
        return first
    }
}
