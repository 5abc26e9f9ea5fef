import Testing

@testable import AASAServer

@Suite struct TimeTextTests {
    @Test(
        arguments: [
            (0, "1970-01-01T00:00:00Z"), (951_782_399, "2000-02-28T23:59:59Z"),
            (951_782_400, "2000-02-29T00:00:00Z"), (1_795_277_045, "2026-11-21T16:04:05Z"),
            (4_107_542_400, "2100-03-01T00:00:00Z"), (-1, "1969-12-31T23:59:59Z"),
        ] as [(Int64, String)])
    func timesAreCivil(seconds: Int64, text: String) {
        #expect(TimeText.second(seconds) == text)
    }

    @Test func millisecondsHaveThreeDigits() {
        #expect(TimeText.millisecond(1007) == "1970-01-01T00:00:01.007Z")
        #expect(TimeText.millisecond(-1) == "1969-12-31T23:59:59.999Z")
    }
}
