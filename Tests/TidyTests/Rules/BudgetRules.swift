/// How many lines of code a target may have, by the count of `codeLines(_:)`.
///
/// A later feature has to earn its lines: a budget is raised in the commit that says what for, and
/// lowered in the commit that saves them.
let budgets = [
    "AASAClient": 880, "AASADevice": 4_857, "AASAFleet": 2_750, "AASAServer": 12_496,
    "AASAStorm": 2_466, "ACME": 3_532, "AppSiteAssociation": 10_260, "HTTP": 2_898,
    "OpenSSL": 4_000, "Reactor": 2_650, "Texts": 33, "aasa": 7_651,
]

let budgetRules = [
    Rule(
        name: "targets keep to their budget of code lines",
        why: "one person keeps the whole in mind; what is added has to earn its lines"
    ) { tree in
        let targets = Dictionary(grouping: tree.files.filter(\.isSwift), by: \.target)
        return targets.compactMap { target, files in
            guard let target, let budget = budgets[target] else { return nil }
            let count = files.reduce(0) { $0 + codeLines($1) }
            guard count > budget else { return nil }
            return Finding(
                path: "Sources/\(target)", message: "\(count) lines of code (budget \(budget))")
        }
    }
]

/// The lines of a file that are neither blank nor only a comment.
private func codeLines(_ file: SourceTree.File) -> Int {
    file.lines.count { line in
        let text = line.drop { $0 == " " || $0 == "\t" }
        return !text.isEmpty && !text.hasPrefix("//")
    }
}
