extension RulesTests {
    static let languageCases: [Case] = [
        Case(
            rule: "documents use the words of the field",
            files: [
                "README.md": "It is mended by itself.\n`mend` and\n```\nmend\n```\n",
                "Tests/README.md": "Mend it.\n", "Tests/X/Corpus/README.md": "Mend it.\n",
            ],
            expected: ["README.md", "README.md", "Tests/README.md"]),
        Case(
            rule: "messages and doc comments use the words of the field",
            files: [
                "Sources/HTTP/A.swift": "/// Nobody reads `nobody`.\nlet nobody = 1  // mend it\n"
                    + "let a = \"mend it\"\nlet b = \"mend\"\n",
                "Tests/HTTPTests/B.swift": "/// Nobody reads it.\n",
            ],
            expected: ["Sources/HTTP/A.swift", "Sources/HTTP/A.swift"]),
        Case(
            rule: "findings use the words of the field",
            files: [
                "Sources/X/Catalog/a.txt":
                    "# a\n## c\ntitle: Mend it\nwhy: It\n    is alone.\nbad: f\n    mended\n"
                    + "fix: " + String(repeating: "word ", count: 31) + "\n",
                "Sources/X/Catalog/A.swift": "// mend\n",
            ],
            expected: [
                "Sources/X/Catalog/a.txt", "Sources/X/Catalog/a.txt", "Sources/X/Catalog/a.txt",
            ]),
        Case(
            rule: "sentences in documents have at most 30 words",
            files: [
                "README.md": String(repeating: "word ", count: 20) + "end. "
                    + String(repeating: "word ", count: 20) + "\n",
                "deploy/README.md": String(repeating: "word ", count: 20) + "\n"
                    + String(repeating: "word ", count: 20) + "\n",
            ], expected: ["deploy/README.md"]),
    ]
}
