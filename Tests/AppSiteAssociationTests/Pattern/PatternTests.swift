import Foundation
import TestSupport
import Testing

@testable import AppSiteAssociation

@Suite struct PatternTests {
    @Test func saysWhatItAlwaysAnswers() {
        #expect(Pattern("/*").matchesEverything)
        #expect(Pattern("***").matchesEverything)
        #expect(!Pattern("?*").matchesEverything)
        #expect(Pattern("/a$(b)*").matchesNothing)
    }

    /// Slashes around a path say nothing; within it, and elsewhere, they do.
    @Test(arguments: [
        ("/buy/", "buy"), ("//buy//", "buy"), ("buy", "buy"), ("/", ""), ("///", ""), ("", ""),
        ("/a//b/", "a//b"),
    ]) func pathsStandWithoutSlashesAround(_ text: String, _ literal: String) {
        expectEqual(Pattern(text).symbols, PatternSymbol.literals(of: literal, folds: false))
        expectEqual(
            Pattern(text, place: .text).symbols, PatternSymbol.literals(of: text, folds: false))
    }

    @Test(arguments: [
        ("/buy/*", true), ("/buy/**", true), ("/*/*", true), ("/buy*", false), ("/*", false),
        ("/buy/?*", false), ("/buy/*x", false), ("/buy/*/", true), ("/$(v)/*", true),
        ("/$(v)*", false), ("/?*", false),
    ]) func aRunBehindASlashMayBeMissing(_ text: String, _ mayBeMissing: Bool) {
        expectEqual((Pattern(text).symbols.last == .below), mayBeMissing)
        #expect(Pattern(text, place: .text).symbols.last != .below)
    }

    /// For a longer run by hand: `AASA_ROUNDS=50000`.
    private static let rounds =
        ProcessInfo.processInfo.environment["AASA_ROUNDS"].flatMap(Int.init) ?? 1500

    /// Short alphabets make collisions likely; the seed is printed with a failure.
    @Test(arguments: [UInt64](1...12))
    func agreesWithTheNaiveMatcher(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let variables = [
            (name: "v", values: ["a", "ab", "b*", "?"]), (name: "w", values: ["", "a?b", "/"]),
        ]
        let pieces = [
            "a", "b", "A", "/", "*", "?", "é", "É", "$(v)", "$(w)", "$(digit)", "$(lower)", "1",
            "**",
            "$(", "/*",
        ]
        let letters = ["a", "b", "A", "/", "é", "É", "1", "ab", "//"]
        for _ in 0..<Self.rounds {
            let pattern = (0..<Int.random(in: 0...6, using: &random))
                .map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
            let text = (0..<Int.random(in: 0...7, using: &random))
                .map { _ in letters.randomElement(using: &random) ?? "" }.joined()
            let caseSensitive = Bool.random(using: &random)
            let reference = ReferenceMatcher(variables: variables, caseSensitive: caseSensitive)
            let path = Pattern(
                pattern, place: .path, caseSensitive: caseSensitive, variables: variables)
            let other = Pattern(
                pattern, place: .text, caseSensitive: caseSensitive, variables: variables)
            expectEqual(
                path.matches(text), reference.matchesPath(pattern, text),
                "seed \(seed): path \(pattern) against \(text), case \(caseSensitive)")
            expectEqual(
                other.matches(text), reference.matches(pattern, text),
                "seed \(seed): text \(pattern) against \(text), case \(caseSensitive)")
        }
    }

    @Test func staysLinearUnderHostilePatterns() {
        let values = [(name: "v", values: ["a", "aa", "a*", "*a", "?"])]
        let hostile = [
            String(repeating: "*a", count: 60) + "*b",
            String(repeating: "a*", count: 60) + "b",
            String(repeating: "?*", count: 60) + "b",
            "*" + String(repeating: "a", count: 120) + "b",
            String(repeating: "$(v)", count: 40) + "b",
            String(repeating: "*$(v)", count: 40) + "b",
            String(repeating: "$(lang)*", count: 30) + "!",
        ]
        for pattern in hostile {
            let compiled = Pattern(pattern, place: .text, variables: values)
            for length in [100, 1000, 4000] {
                let text = String(repeating: "a", count: length)
                // Five values of at most two symbols each per variable.
                let bound = 12 * (length + 1) * (pattern.utf8.count + 1)
                let steps = Steps(bound)
                #expect(!compiled.matches(text, steps))
                #expect(!steps.isSpent, "\(pattern) took more than \(bound) steps")
            }
        }
    }
}
