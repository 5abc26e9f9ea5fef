package import AASADevice
import Reactor

/// The eras of a storm's devices and their weights.
package struct EraMix: Sendable, Equatable {
    package struct Part: Sendable, Equatable {
        package let era: Era
        /// Its share is this over the sum of all weights.
        package let weight: Int
    }

    package let parts: [Part]
    private let total: Int

    /// The latest devices that ask the site directly.
    package static let standard = EraMix([Part(era: .ios13, weight: 1)])

    private init(_ parts: [Part]) {
        self.parts = parts
        total = parts.reduce(0) { $0 + $1.weight }
    }

    /// Parses `ios9.3:10,ios13:90`; an era without a number has weight 1.
    package init(parsing text: String) throws(StormProblem) {
        var parts: [Part] = []
        for word in text.split(separator: ",", omittingEmptySubsequences: false) {
            let halves = word.split(separator: ":", omittingEmptySubsequences: false)
            guard let name = halves.first, let era = Era(rawValue: String(name)) else {
                let known = Era.allCases.map(\.rawValue).joined(separator: ", ")
                throw StormProblem(description: "'\(word)' is not an era; the eras are \(known)")
            }
            guard !parts.contains(where: { $0.era == era }) else {
                throw StormProblem(description: "'\(era.rawValue)' is listed twice")
            }
            // A million keeps the sum of all within any integer type.
            let weight = halves.count == 2 ? Int(halves[1]) : halves.count == 1 ? 1 : nil
            guard let weight, (1...1_000_000).contains(weight) else {
                throw StormProblem(
                    description:
                        "'\(word)' is not ERA or ERA:WEIGHT with a weight from 1 to 1000000")
            }
            parts.append(Part(era: era, weight: weight))
        }
        self.init(parts)
    }

    /// The same format.
    package var text: String {
        parts.map { "\($0.era.rawValue):\($0.weight)" }.joined(separator: ",")
    }

    /// Draws the era of the next device.
    func draw(using random: inout SplitMix) -> Era {
        if parts.count == 1 { return parts[0].era }
        var place = Int(random.next() % UInt64(total))
        for part in parts {
            if place < part.weight { return part.era }
            place -= part.weight
        }
        return parts[0].era
    }
}
