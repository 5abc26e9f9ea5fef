/// One rule of the house: a name, the reason for it, and a check over a tree of files.
struct Rule: Sendable, CustomStringConvertible {
    let name: String
    let why: String
    let check: @Sendable (SourceTree) -> [Finding]

    var description: String { name }

    static let all: [Rule] = rooms.flatMap { $0 }

    private static let rooms: [[Rule]] = [
        importRules, contentRules, lengthRules, addressRules, trackingRules, scriptRules,
        documentRules, inertRules, wiringRules, mapRules, citationRules, claimRules, publicRules,
        budgetRules, languageRules,
    ]
}

/// Where a rule is broken.
struct Finding: Hashable, Sendable, CustomStringConvertible {
    let path: String
    var line: Int?
    let message: String

    var description: String { "\(path)\(line.map { ":\($0)" } ?? ""): \(message)" }
}
