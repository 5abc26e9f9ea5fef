import TestSupport
import Testing

@testable import AASAStorm

@Suite struct RecordedArrivalsTests {
    @Test func readsTimesOutOfOrder() throws {
        try expectEqual(RecordedArrivals.read("3\n1.5\n\n# a comment\n2 # last\n"), [1.5, 2, 3])
    }

    @Test func spreadsCountedSeconds() throws {
        try expectEqual(RecordedArrivals.read("10 2\n11,1\n12\t0"), [10.25, 10.75, 11])
    }

    /// As spreadsheets save it.
    @Test func readsOtherNewlines() throws {
        try expectEqual(RecordedArrivals.read("\u{FEFF}1\r\n2 2\r\n# end\r\n"), [1, 2.25, 2.75])
        #expect(
            throws: RecordedArrivals.Problem(line: 3, cause: "'noon' is not a time in seconds")
        ) { try RecordedArrivals.read("1\r\n2\r\nnoon\r\n") }
    }

    @Test(arguments: [
        ("-1e308\n1e308", 1, "'-1e308' is not a time in seconds"),
        ("1\nnoon\n", 2, "'noon' is not a time in seconds"),
        ("1\n2 many", 2, "'many' is not a count of arrivals"),
        ("1\n2 -4", 2, "'-4' is not a count of arrivals"),
        ("1 2 3", 1, "expected a time, or a second and a count"),
        ("inf\n1", 1, "'inf' is not a time in seconds"),
        ("1 9999999", 1, "more than 5000000 arrivals in total"),
        ("7\n", 2, "fewer than two arrivals in the file"),
        ("", 1, "fewer than two arrivals in the file"),
    ])
    func namesLineAndCause(text: String, line: Int, cause: String) {
        #expect(throws: RecordedArrivals.Problem(line: line, cause: cause)) {
            try RecordedArrivals.read(text)
        }
    }
}
