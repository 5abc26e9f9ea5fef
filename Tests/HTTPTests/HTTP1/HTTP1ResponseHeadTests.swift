import TestSupport
import Testing

@testable import HTTP

@Suite struct HTTP1ResponseHeadTests {
    private func head(_ raw: String, _ fields: [(String, String)] = []) -> HTTP1ResponseHead {
        HTTP1ResponseHead(
            raw: Array(raw.utf8), status: 200, reason: "OK",
            fields: fields.map { HTTPField(name: $0.0, value: $0.1) })
    }

    @Test func `Values are found by name, however it was written, in order`() {
        let fields = [("Via", "1"), ("VIA", "2"), ("Viable", "3"), ("Vi", "4"), ("via", "5")]
        let head = head("", fields)
        expectEqual(head.values(of: "via"), ["1", "2", "5"])
        expectEqual(head.values(of: "date"), [])
    }

    /// Whoever reads it has to know what to look for.
    @Test func `Every fault has a name and an explanation of its own`() {
        let faults = HTTP1ResponseFault.allCases
        expectEqual(Set(faults.map(\.explanation)).count, faults.count)
        #expect(faults.allSatisfy { !$0.rawValue.contains { $0.isUppercase || $0 == " " } })
        #expect(
            HTTP1ResponseFault.headTooLarge.explanation.contains(
                "\(HTTP1ResponseParser.headBytes) bytes"))
    }
}
