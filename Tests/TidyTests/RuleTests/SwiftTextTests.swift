import TestSupport
import Testing

@Suite struct SwiftTextTests {
    @Test func separatesCommentsAndStringsFromCode() {
        let text = SwiftText(
            """
            let a = "x // y" // why
            /* one /* nested */ two */ let b = #"raw " quote"#
            let c = "\\(f("inner")) tail"
            let d = 1
            """)
        expectEqual(
            text.code, ["let a = \"\" ", " let b = \"\"", "let c = \"\"f(\"\")", "let d = 1"])
        expectEqual(text.comments[0], "// why")
        #expect(text.hasReason(atLine: 0, above: 0))
        #expect(!text.hasReason(atLine: 3, above: 1))
    }

    @Test func keepsLineNumbersInLongStrings() {
        let quotes = "\"\"\""
        let text = SwiftText("let a = \(quotes)\n  try!\n  \(quotes)\nlet b = 2\n")
        expectEqual(text.code.count, 5)
        expectEqual(text.code[3], "let b = 2")
        #expect(!text.code[1].contains("try!"))
    }
}
