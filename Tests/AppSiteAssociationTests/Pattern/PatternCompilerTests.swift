import Testing

@testable import AppSiteAssociation

@Suite struct PatternCompilerTests {
    private func compiled(
        _ text: String, isPath: Bool = false, caseSensitive: Bool = true
    ) -> (pattern: CompiledPattern, code: PatternCode) {
        var compiler = PatternCompiler(variables: [("v", ["a", "b*"]), ("digit", ["one"])])
        let pattern =
            isPath
            ? compiler.compilePath(text, caseSensitive: caseSensitive)
            : compiler.compile(text, caseSensitive: caseSensitive)
        return (pattern, compiler.finish())
    }

    @Test(arguments: [
        ("", CompiledPattern.Shape.exact), ("abc", .exact), ("*", .anything), ("***", .anything),
        ("a*", .prefix), ("a**", .prefix), ("*a", .segments), ("a*b", .segments),
        ("a?", .segments), ("?", .segments), ("?*", .segments), ("$(alpha)", .segments),
        ("$(region)*", .segments), ("$(lang)", .sets), ("a$(v)", .sets), ("$(digit)", .sets),
        ("$(no)", .never), ("$(v)$(no)", .never), ("a$(no)*", .never), ("$(", .exact),
        ("$(a", .exact), ("$()", .never), ("$v", .exact), ("$(a(b)", .exact),
        ("$(no$(v)", .sets),
    ]) func theShapeIsTheCheapestThatDoes(_ text: String, _ shape: CompiledPattern.Shape) {
        #expect(compiled(text).pattern.shape == shape)
    }

    /// Slashes around a path say nothing; within it, and elsewhere, they do.
    @Test(arguments: [
        ("/buy/", "buy"), ("//buy//", "buy"), ("buy", "buy"), ("/", ""), ("///", ""), ("", ""),
        ("/a//b/", "a//b"),
    ]) func pathsStandWithoutSlashesAround(_ text: String, _ literal: String) {
        #expect(String(decoding: compiled(text, isPath: true).code.bytes, as: UTF8.self) == literal)
        #expect(String(decoding: compiled(text).code.bytes, as: UTF8.self) == text)
    }

    @Test(arguments: [
        ("/buy/*", true), ("/buy/**", true), ("/*/*", true), ("/buy*", false), ("/*", false),
        ("/buy/?*", false), ("/buy/*x", false), ("/buy/*/", true), ("/$(v)/*", true),
        ("/$(v)*", false), ("/?*", false),
    ]) func aRunBehindASlashIsMarked(_ text: String, _ isMarked: Bool) {
        #expect(compiled(text, isPath: true).pattern.endsWithSlashRun == isMarked)
        #expect(!compiled(text).pattern.endsWithSlashRun)
    }

    @Test(arguments: [
        ("", 0), ("*a", 0), ("?a", 0), ("$(v)", 0), ("a", 1), ("abc*", 3), ("abcdefg", 7),
        ("abcdefgh", 8), ("abcdefghi", 8), ("ab?cd", 2), ("é", 2),
    ]) func theHeadIsTheLiteralInFront(_ text: String, _ count: Int) {
        let pattern = compiled(text).pattern
        var head: UInt64 = 0
        var mask: UInt64 = 0
        for (index, byte) in text.utf8.prefix(count).enumerated() {
            head |= UInt64(byte) << UInt64(8 * index)
            mask |= 0xFF << UInt64(8 * index)
        }
        #expect(pattern.head == head && pattern.headMask == mask)
    }

    @Test func neighboursBecomeOneInstruction() {
        let ops = compiled("a??b***?*").code.ops
        #expect(
            ops.map(\.kind) == [
                .literal, .anyCharacters, .literal, .anyRun, .anyCharacters, .anyRun,
            ])
        #expect(ops.map(\.count) == [1, 2, 1, 0, 1, 0])
    }

    @Test func literalsAreFoldedWhereTheRuleIs() {
        #expect(compiled("AÉ*Z", caseSensitive: false).code.bytes == Array("aéz".utf8))
        #expect(compiled("AÉ*Z").code.bytes == Array("AÉZ".utf8))
    }

    /// Names of query items are no patterns.
    @Test func aLiteralHasNoSpecialCharacters() {
        var compiler = PatternCompiler(variables: [("v", ["a"])])
        let name = compiler.literal("A*?$(v)/", caseSensitive: false)
        #expect(name.shape == .exact)
        #expect(compiler.finish().bytes == Array("a*?$(v)/".utf8))
    }

    /// A thousand rules that use a variable hold its values once, folded or not.
    @Test func aVariableIsCompiledOncePerForm() {
        var compiler = PatternCompiler(variables: [("v", ["A", "b"]), ("w", ["C"])])
        for text in ["$(v)", "/$(v)$(v)", "$(w)$(v)"] {
            _ = compiler.compile(text, caseSensitive: true)
        }
        _ = compiler.compile("$(v)", caseSensitive: false)
        _ = compiler.compilePath("$(v)/x", caseSensitive: false)
        let code = compiler.finish()
        #expect(code.variables.count == 3 && code.alternatives.count == 5)
        #expect(String(decoding: code.bytes, as: UTF8.self) == "//xAbCab")
    }

    /// Values stand behind the patterns, those of one variable behind those of another.
    @Test func severalVariablesKeepTheirValues() {
        let variables = [
            (name: "v", values: ["one", "t*o"]), (name: "w", values: ["", "x?"]),
            (name: "none", values: []),
        ]
        func matches(_ pattern: String, _ text: String, caseSensitive: Bool = true) -> Bool {
            Pattern(
                pattern, place: .text, caseSensitive: caseSensitive, variables: variables
            ).matches(text)
        }
        #expect(matches("$(w)-$(v)", "-one") && matches("$(w)-$(v)", "xy-too"))
        #expect(!matches("$(w)-$(v)", "one-") && !matches("$(w)-$(v)", "x-one"))
        #expect(matches("$(v)$(w)$(v)", "ONExyTO", caseSensitive: false))
        #expect(!matches("$(v)$(w)$(v)", "ONExyTO"))
        #expect(!matches("$(none)", "") && !matches("*$(none)*", "x"))
    }

    @Test func ownVariablesComeBeforeBuiltInOnes() {
        func matches(_ text: String, _ variables: [(name: String, values: [String])]) -> Bool {
            Pattern("$(digit)", place: .text, variables: variables).matches(text)
        }
        #expect(matches("5", []) && !matches("one", []))
        #expect(!matches("5", [("digit", ["one"])]) && matches("one", [("digit", ["one"])]))
        // Names are exact, and of a repeated one the first counts.
        #expect(matches("5", [("Digit", ["one"])]))
        #expect(!matches("2", [("digit", ["1"]), ("digit", ["2"])]))
    }

    /// A URL has either form, and so has a name.
    @Test func composedAndDecomposedNamesAreTwo() {
        let variables = [(name: "\u{E9}", values: ["x"]), (name: "e\u{301}", values: ["y"])]
        for (name, value, other) in [("\u{E9}", "x", "y"), ("e\u{301}", "y", "x")] {
            let pattern = Pattern("$(\(name))", place: .text, variables: variables)
            #expect(pattern.matches(value) && !pattern.matches(other))
        }
    }
}
