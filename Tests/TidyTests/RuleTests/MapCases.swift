extension RulesTests {
    private static let way = """
        1. `Worker` begins.
        2. `Worker` goes on.
        3. `Worker` goes on.
        4. `Worker` goes on.
        5. `Worker` ends with `SO_REUSEPORT`.

        """

    private static func page(_ request: String, rows: Int = 10) -> String {
        "## How a request is served\n" + request + "## How a document is published\n" + way
            + "## Where aasa decides …\n"
            + String(repeating: "| … it | `AASAServer/W.swift` | `Worker` |\n", count: rows)
            + "## Threads\n| `Box` |\n"
    }

    private static func tree(_ page: String) -> [String: String] {
        ["Sources/README.md": page, "Sources/AASAServer/W.swift": "final class Worker {\n"]
    }

    static let mapCases: [Case] = [
        Case(rule: "the map's ways name real types", files: tree(page(way)), expected: []),
        Case(
            rule: "the map's ways name real types",
            files: tree(page(way + "6. `Gone` takes over.\n7. Nobody does.\n")),
            expected: ["Sources/README.md", "Sources/README.md"]),
        Case(
            rule: "the map's ways name real types", files: tree(page("1. `Worker`.\n")),
            expected: ["Sources/README.md"]),
        Case(
            rule: "the map answers where things are decided", files: tree(page(way)), expected: []),
        Case(
            rule: "the map answers where things are decided",
            files: tree(page(way, rows: 9)), expected: ["Sources/README.md"]),
        Case(
            rule: "the map answers where things are decided",
            files: [
                "Sources/README.md": page(way), "Sources/AASAServer/W.swift": "struct Other {\n",
            ], expected: Array(repeating: "Sources/README.md", count: 10)),
        Case(
            rule: "the map lists what crosses threads",
            files: [
                "Sources/README.md": page(way),
                "Sources/AASAServer/Box.swift": "private let a = Lock(1)\n",
                "Sources/AASAServer/Hidden.swift": "private let a = Atomic<Bool>(false)\n",
            ], expected: ["Sources/AASAServer/Hidden.swift"]),
    ]
}
