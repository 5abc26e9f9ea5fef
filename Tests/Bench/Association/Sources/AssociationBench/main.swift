import AppSiteAssociation
import CountedMalloc
import Foundation

// Reading, compiling and asking one document, against what a Swift developer would reach for:
// JSONSerialization, NSRegularExpression and Swift's Regex. All in one run, on one core, each
// figure the best of many rounds.

/// 1,024 rules in about 38 KB, as a shop has them: a common prefix, a name, a number, a run.
func document() -> [UInt8] {
    let rules = (0..<1024).map { number in
        let excluded = number % 16 == 0 ? ",\"exclude\":true" : ""
        return "{\"/\":\"/shop/things/item\(number % 97)/\(number)/*\"\(excluded)}"
    }
    let text = """
        {"applinks":{"details":[{"appIDs":["ABCDE12345.com.example.app"],\
        "components":[\(rules.joined(separator: ","))]}]}}
        """
    return Array(text.utf8)
}

/// The patterns as regular expressions, as a developer would write them.
func expressions(_ file: AssociationFile) -> [String] {
    (file.applinks?.details.first?.components ?? []).map { component in
        let path = component.path?.value ?? "*"
        return "^"
            + NSRegularExpression.escapedPattern(for: path)
            .replacingOccurrences(of: "\\*", with: ".*").replacingOccurrences(of: "\\?", with: ".")
            + "$"
    }
}

/// The best time of one call in microseconds.
func best(rounds: Int, calls: Int = 1, _ body: () throws -> Void) rethrows -> Double {
    var best = Double.infinity
    for _ in 0..<rounds {
        let start = DispatchTime.now().uptimeNanoseconds
        for _ in 0..<calls { try body() }
        best = min(best, Double(DispatchTime.now().uptimeNanoseconds - start) / Double(calls))
    }
    return best / 1000
}

func line(_ what: String, _ microseconds: Double, against: Double? = nil) {
    let ratio = against.map { String(format: "%8.1f×", $0 / microseconds) } ?? ""
    print(
        what.padding(toLength: 52, withPad: " ", startingAt: 0)
            + String(format: "%12.2f µs", microseconds) + ratio)
}

let bytes = document()
let data = Data(bytes)
let source = SourceText(name: "bench.json", bytes: bytes)
let file = try AssociationFile(reading: source)
let association = CompiledAssociation(file)
let expressionTexts = expressions(file)
let nsExpressions = try expressionTexts.map { try NSRegularExpression(pattern: $0) }
let regexes = try expressionTexts.map { try Regex($0).ignoresCase(false) }
print("document: \(bytes.count) bytes, \(expressionTexts.count) rules\n")

let read = try best(rounds: 200) { _ = try JSONReader.read(source) }
let parse = try best(rounds: 200) { _ = try AssociationFile(reading: source) }
let whole = try best(rounds: 200) {
    _ = CompiledAssociation(try AssociationFile(reading: source))
}
let foundation = try best(rounds: 100) { _ = try JSONSerialization.jsonObject(with: data) }
let foundationAndExpressions = try best(rounds: 5) {
    _ = try JSONSerialization.jsonObject(with: data)
    for text in expressionTexts { _ = try NSRegularExpression(pattern: text) }
}
print("read the document")
line("  JSONReader (with positions)", read, against: foundation)
line("  JSONReader + AssociationFile", parse, against: foundation)
line("  JSONReader + AssociationFile + CompiledAssociation", whole, against: foundation)
line("  JSONSerialization", foundation)
line("  JSONSerialization + NSRegularExpression", foundationAndExpressions, against: nil)
print(
    String(
        format: "  ready to decide: %.1f× faster\n", foundationAndExpressions / whole))

var checksum = 0
for (name, path) in [
    ("first rule", "/shop/things/item1/1/x"), ("last rule", "/shop/things/item54/1023/reviews"),
    ("no rule", "/shop/things/item54/1024/reviews"),
] {
    guard let url = URLParts("https://example.com" + path) else { continue }
    let range = NSRange(path.startIndex..., in: path)
    func expressionIndex() -> Int? {
        nsExpressions.firstIndex { $0.firstMatch(in: path, range: range) != nil }
    }
    func regexIndex() throws -> Int? {
        for (index, regex) in regexes.enumerated() where try regex.wholeMatch(in: path) != nil {
            return index
        }
        return nil
    }
    let ours = best(rounds: 50, calls: 100) {
        checksum &+= association.decide(url).first?.decision == .match ? 1 : 0
    }
    let nsExpression = best(rounds: 5) { checksum &+= expressionIndex() ?? 0 }
    let regex = try best(rounds: 3) { checksum &+= try regexIndex() ?? 0 }
    let before = countedmalloc_count()
    for _ in 0..<1000 {
        checksum &+= association.decide(url).first?.decision == .match ? 1 : 0
    }
    let allocations = countedmalloc_count() - before
    print("decide \(path) (\(name))")
    line("  CompiledAssociation", ours)
    line("  NSRegularExpression", nsExpression)
    line("  Swift Regex", regex)
    print(
        String(
            format: "  %.0f× and %.0f× faster; allocations in 1,000 decisions: %d\n",
            nsExpression / ours, regex / ours, allocations))
}
print("checksum \(checksum)")
