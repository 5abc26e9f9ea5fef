import TestSupport
import Testing

/// Every rule finds what it forbids in a small made-up tree, and nothing in a good one.
@Suite struct RulesTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let rule: String
        let files: [String: String]
        var executable: Set<String> = []
        /// The paths with a finding, one entry each.
        let expected: [String]
        var testDescription: String { "\(rule): \(files.keys.sorted()) → \(expected)" }
    }

    @Test(arguments: cases) func finds(_ example: Case) throws {
        let rule = try #require(Rule.all.first { $0.name == example.rule })
        let found = rule.check(SourceTree(example.files, executable: example.executable))
        expectEqual(found.map(\.path).sorted(), example.expected.sorted(), "\(found)")
    }

    /// A rule without an example that breaks it could be a rule that never fails.
    @Test func everyRuleHasAnExampleThatBreaksIt() {
        // Its input is the list in Exceptions.swift itself.
        let withoutExample: Set<String> = ["exceptions are still needed"]
        let broken = Set(Self.cases.filter { !$0.expected.isEmpty }.map(\.rule))
        expectEqual(Set(Rule.all.map(\.name)).subtracting(broken), withoutExample)
    }

    @Test func aNamedExceptionMustExist() {
        let rule = Rule.all.first { $0.name == "exceptions are still needed" }
        let found = rule?.check(SourceTree(["Package.swift": ""]))
        #expect(Set((found ?? []).map(\.path)) == Exceptions.paths)
    }

    static let cases: [Case] =
        importCases + contentCases + lengthCases + placeCases + documentCases
        + citationCases + inertCases + wiringCases + mapCases + publicCases + budgetCases
        + languageCases

    static let budgetCases: [Case] = [
        Case(
            rule: "targets keep to their budget of code lines",
            files: [
                "Sources/AASAClient/A.swift": String(
                    repeating: "let a = 1\n", count: budgets["AASAClient", default: 0] + 1),
                "Sources/HTTP/B.swift": String(
                    repeating: "let b = 1\n\n    // b\n", count: budgets["HTTP", default: 0]),
            ], expected: ["Sources/AASAClient"])
    ]

    static let publicCases: [Case] = [
        Case(
            rule: "what is public says what it means",
            files: [
                "Sources/AppSiteAssociation/A.swift":
                    "/// An a.\npublic struct A {\n    public let b: Int\n}\n",
                "Sources/AppSiteAssociation/B.swift":
                    "/// A b.\n@available(*, deprecated)\npublic func b() {}\npublic import A\n",
                "Sources/HTTP/C.swift": "public func c() {}\n",
            ], expected: ["Sources/AppSiteAssociation/A.swift"]),
        Case(
            rule: "a public comment links to what is public",
            files: [
                "Sources/AppSiteAssociation/A.swift":
                    "/// See ``B/c`` and ``D``.\n@frozen\npublic struct A {}\n",
                "Sources/AppSiteAssociation/B.swift":
                    "/// A b of ``D``.\nstruct B {}\n/// A d of ``A``.\npublic final class D {}\n",
            ], expected: ["Sources/AppSiteAssociation/A.swift"]),
    ]

    private static let article = "# Overload\n\n## 3. Arithmetic\n\n### 3.1 Bound\n"

    static let citationCases: [Case] = [
        Case(
            rule: "citations lead to an article in the tree",
            files: [
                "Sources/A/A.docc/overload.md": article,
                "Sources/A/A.swift": "/// As in overload.md sections 3 and 3.1, and overload.md.\n",
                "Sources/A/B.swift": "/// As in overload.md section\n/// 4.\n",
                "Sources/A/C.swift": "let source = \"domain.md 2.4\"\n",
                "Sources/A/D.swift": "// facts/overload.md\n",
            ],
            expected: ["Sources/A/B.swift", "Sources/A/C.swift", "Sources/A/D.swift"])
    ]

    static let wiringCases: [Case] = [
        Case(
            rule: "what is written is called",
            files: [
                "Sources/HTTP/A.swift": "package static func guardMe() {}\n// guardMe\n",
                "Tests/HTTPTests/ATests.swift": "guardMe()\n",
            ], expected: ["Sources/HTTP/A.swift"]),
        // Two that share their name, and nobody calls either.
        Case(
            rule: "what is written is called",
            files: [
                "Sources/HTTP/A.swift": "package var isLate: Bool { true }\n",
                "Sources/HTTP/B.swift": "package var isLate: Bool { false }\n",
            ], expected: ["Sources/HTTP/A.swift", "Sources/HTTP/B.swift"]),
        Case(
            rule: "what is written is called",
            files: [
                "Sources/HTTP/A.swift": "package func used() {}\nfunc own() {}\npackage import B\n",
                "Sources/AASAServer/B.swift": "used()\n",
            ], expected: []),
    ]

    static let inertCases: [Case] = [
        Case(
            rule: "commands write through Terminal",
            files: [
                "Sources/aasa/A.swift": "print(text)\nfputs(text, stderr)\nTerminal.print(text)\n"
            ], expected: ["Sources/aasa/A.swift", "Sources/aasa/A.swift"]),
        Case(
            rule: "lines of a report are joined by InertText",
            files: [
                "Sources/AASADevice/A.swift": "lines.joined(separator: \"\\n\")\n",
                "Sources/AASADevice/B.swift": "InertText.joined(lines)\n",
            ], expected: ["Sources/AASADevice/A.swift"]),
    ]

    static let importCases: [Case] = [
        Case(
            rule: "imports point downward",
            files: ["Sources/AppSiteAssociation/A.swift": "import Glibc\n"],
            expected: ["Sources/AppSiteAssociation/A.swift"]),
        Case(
            rule: "imports point downward",
            files: ["Sources/HTTP/A.swift": "// import Foundation\npackage import OpenSSL\n"],
            expected: ["Sources/HTTP/A.swift"]),
        Case(
            rule: "imports point downward", files: ["Sources/New/A.swift": ""],
            expected: ["Sources/New/A.swift"]),
        Case(
            rule: "imports point downward",
            files: ["Sources/HTTP/A.swift": "internal import CNGHTTP2\n"], expected: []),
        Case(
            rule: "imports point downward",
            files: [
                "Sources/Reactor/A.swift": "import Glibc\n",
                "Sources/AASAServer/A.swift": "package import Glibc\n",
            ], expected: ["Sources/AASAServer/A.swift"]),
        Case(
            rule: "protocols and formats see no descriptor and no clock",
            files: [
                "Sources/OpenSSL/A.swift":
                    "let now = time(nil)\nlet b = BIO_new_file(path, \"r\")\n",
                "Sources/Reactor/A.swift": "let now = time(nil)\n",
            ], expected: ["Sources/OpenSSL/A.swift", "Sources/OpenSSL/A.swift"]),
        Case(
            rule: "C modules are imported by one target",
            files: [
                "Tests/AASAServerTests/A.swift": "import struct COpenSSL.Foo\n",
                "Tests/OpenSSLTests/A.swift": "import COpenSSL\n",
            ],
            expected: ["Tests/AASAServerTests/A.swift"]),
    ]

    static let contentCases: [Case] = [
        Case(
            rule: "macros of tests make no call of C's with a text or an array",
            files: [
                "Tests/A/A.swift": "let a = try #require(\n    EVP_MD_fetch(nil, \"x\", nil))\n",
                "Tests/A/B.swift": "#expect(dlsym(nil, \"x\"), \"why\")\n",
                "Tests/A/C.swift": "#expect(RAND_bytes(&a, 1) == 1)\n#require(EVP_new(a))\n",
                "Sources/A/D.swift": "#expect(dlsym(nil, \"x\"))\n",
            ], expected: ["Tests/A/A.swift", "Tests/A/B.swift"]),
        Case(
            rule: "tests compare with expectEqual",
            files: [
                "Tests/A/A.swift": "func a() {\n    #expect(a.b == [1, 2])\n}\n",
                "Tests/A/B.swift": "#expect(a == nil)\n#expect(a == b && c)\nexpectEqual(a, b)\n",
                "Tests/A/C.swift": "#expect(a == (1, 2))\n#expect(a.contains { $0 == b })\n",
                "Sources/A/D.swift": "#expect(a == b)\n",
            ], expected: ["Tests/A/A.swift"]),
        Case(
            rule: "every command says its name",
            files: [
                "Sources/aasa/A.swift":
                    "    static let a = CommandConfiguration(\n        commandName: \"a\",\n",
                "Sources/aasa/B.swift":
                    "    static let b = CommandConfiguration(\n        abstract: \"B.\")\n",
            ], expected: ["Sources/aasa/B.swift"]),
        Case(
            rule: "nothing in Sources ends the process",
            files: ["Sources/HTTP/A.swift": "let x = try! f()\nfatalError(\"no\")\n"],
            expected: ["Sources/HTTP/A.swift", "Sources/HTTP/A.swift"]),
        Case(
            rule: "nothing in Sources ends the process",
            files: [
                "Sources/HTTP/A.swift": "// never try! here\nlet s = \"fatalError()\"\n",
                "Tests/HTTPTests/A.swift": "try! f()\n",
            ],
            expected: []),
        Case(
            rule: "unsafe promises carry their reason",
            files: [
                "Sources/HTTP/A.swift": "final class A: @unchecked Sendable {}\n",
                "Sources/HTTP/B.swift":
                    "// Frozen after init.\nfinal class A: @unchecked Sendable {}\n",
            ],
            expected: ["Sources/HTTP/A.swift"]),
        Case(
            rule: "style sheets and scripts are files of their own",
            files: [
                "Sources/AASAServer/A.swift": "let css = \"p{border-radius:1px}\"\n",
                "Sources/AASAServer/a.css": "p{border-radius:1px}\n",
            ], expected: ["Sources/AASAServer/A.swift"]),
        Case(
            rule: "no debts in comments",
            files: ["Sources/HTTP/A.swift": "// TO" + "DO: later\n", "README.md": "FIX" + "ME\n"],
            expected: ["README.md", "Sources/HTTP/A.swift"]),
        Case(
            rule: "no debts in comments", files: ["deploy/a": "#!/bin/sh\nmktemp XX" + "XX\n"],
            expected: []),
        Case(
            rule: "checks stay on",
            files: ["Package.swift": "unsafeFlags([\"-Oun" + "checked\"])\n"],
            expected: ["Package.swift"]),
        Case(
            rule: "no type is named like its target",
            files: [
                "Sources/Reactor/Reactor.swift": "", "Sources/HTTP/A.swift": "enum HTTP {}\n",
                "Sources/OpenSSL/A.swift": "enum OpenSSLError {}\n",
            ],
            expected: ["Sources/HTTP/A.swift", "Sources/Reactor/Reactor.swift"]),
    ]

    static let lengthCases: [Case] = [
        Case(
            rule: "files stay small",
            files: [
                "Sources/HTTP/A.swift": String(repeating: "\n", count: 401),
                "Sources/HTTP/B.swift": String(repeating: "\n", count: 400),
                "Tests/x.py": String(repeating: "\n", count: 601),
                "Tests/Fixtures/x.py": String(repeating: "\n", count: 601),
            ],
            expected: ["Sources/HTTP/A.swift", "Tests/x.py"]),
        Case(
            rule: "lines fit in 100 columns",
            files: [
                "Sources/HTTP/A.swift": String(repeating: "a", count: 101),
                "Sources/HTTP/B.swift": String(repeating: "ä", count: 100),
                "Sources/HTTP/C.swift": "let s = \"" + String(repeating: "a", count: 120) + "\"",
                "README.md": String(repeating: "a", count: 200),
            ],
            expected: ["Sources/HTTP/A.swift"]),
    ]

    private static let long = String(repeating: "let a = 1\n", count: 41)
    private static let key = String(repeating: "Ab1+", count: 16) + "\n"

    static let placeCases: [Case] = [
        Case(
            rule: "tests stand at the address of the code",
            files: [
                "Sources/HTTP/HTTP1/Head.swift": "", "Sources/HTTP/HTTP1/Body.swift": "",
                "Sources/HTTP/Date.swift": "", "Sources/aasa/LintCommand.swift": "",
                "Tests/HTTPTests/HTTP1/HeadTests.swift": "// Covers: Date.swift\n",
                "Tests/HTTPTests/BodyTests.swift": "",
                "Tests/EndToEndTests/Commands/LintCommandTests.swift": "",
            ],
            expected: ["Sources/HTTP/HTTP1/Body.swift"]),
        Case(
            rule: "a comment stands for the test of small files alone",
            files: [
                "Sources/HTTP/A.swift": long, "Sources/HTTP/B.swift": long,
                "Sources/HTTP/B+C.swift": long, "Sources/HTTP/D.swift": "let d = 1\n",
                "Sources/aasa/E+F.swift": long,
                "Tests/HTTPTests/BTests.swift": "// Covers: A.swift, D.swift\n",
                "Tests/EndToEndTests/Commands/ETests.swift": "",
            ],
            expected: ["Sources/HTTP/A.swift"]),
        Case(
            rule: "no build products and no keys are tracked",
            files: [
                ".build/debug/a.o": "", "Package.resolved": "", "certs/privkey.pem": "",
                "deploy/x.pem": "-----BEGIN EC PRIVATE" + " KEY-----\n" + key,
                "Tests/OpenSSLTests/Fixtures/k.pem": "-----BEGIN PRIVATE" + " KEY-----\n" + key,
                "Sources/OpenSSL/K.swift": "let h = \"-----BEGIN PRIVATE"
                    + " KEY-----\"\nlet a = 1\n",
            ],
            expected: [
                ".build/debug/a.o", "Package.resolved", "certs/privkey.pem", "deploy/x.pem",
            ]),
        Case(
            rule: "the top level is fixed",
            files: ["Docs/a.md": "", ".ci/run": "", "README.md": ""], expected: ["Docs"]),
        Case(
            rule: "no placeholder stays",
            files: ["Sources/HTTP/A.swift": "// later\n\n", "Sources/HTTP/B.swift": "let b = 1\n"],
            expected: ["Sources/HTTP/A.swift"]),
        Case(
            rule: "scripts stop at the first error",
            files: [
                "deploy/a": "#!/usr/bin/env bash\nset -euo pipefail\n",
                "deploy/b": "#!/usr/bin/env bash\n", "deploy/c": "#!/bin/sh\nset -eu\n",
            ],
            executable: ["deploy/a", "deploy/b"], expected: ["deploy/b", "deploy/c"]),
        Case(
            rule: "processes are ended by their number",
            files: ["deploy/a": "#!/bin/sh\npkill -f aasa\n# killall is banned\n"],
            expected: ["deploy/a"]),
    ]

    static let documentCases: [Case] = [
        Case(
            rule: "every claim of the sources has its test",
            files: [
                "Tests/Claims/README.md": """
                # Claims
                | number | claimed | stands | played by |
                |---|---|---|---|
                | 1.1 | it is so | A | `FooTests.plays` "one", `FooTests.name with blanks` |
                | 1.2 | it is not | A | `FooTests.gone` |
                | 1.3 | nor this | A | `FooTests.plays` "three" |
                | 1.4 | no test | S |  |
                | 1.4 | twice | S | `FooTests.plays` |
                | 1.5 | no mark | perhaps | `FooTests.plays` |
                """,
                "Tests/XTests/FooTests.swift":
                    "func plays(_ x: Int) {}\nlet a = \"one\"\nfunc `name with blanks`() {}\n",
                "Tests/YTests/BarTests.swift": "let b = \"three\"\n",
            ],
            expected: [String](repeating: "Tests/Claims/README.md", count: 5)),
        Case(
            rule: "links resolve",
            files: [
                "README.md": "[a](Sources/README.md#the-way) [b](gone.md) [c](#nowhere)\n",
                "Sources/README.md": "# The way\n[up](../README.md)\n",
            ],
            expected: ["README.md", "README.md"]),
        Case(
            rule: "paths named in documents exist",
            files: [
                "README.md": "`Sources/Gone.swift` and `deploy/run` and `Sources/…`\n",
                "deploy/run": "",
            ],
            expected: ["README.md"]),
        Case(
            rule: "the architecture page names every target and room",
            files: [
                "Sources/README.md": "`HTTP` is sans-I/O.\n", "Sources/HTTP/A.swift": "",
                "Sources/HTTP/HTTP2/B.swift": "",
            ],
            expected: ["Sources/README.md"]),
    ]
}
