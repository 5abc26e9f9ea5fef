import TestSupport
import Testing

@testable import HTTP

@Suite struct CivilDateTests {
    @Test(arguments: [
        (0, [1970, 1, 1]), (-1, [1969, 12, 31]), (11_016, [2000, 2, 29]),
        (11_017, [2000, 3, 1]), (47_540, [2100, 2, 28]), (47_541, [2100, 3, 1]),
        (-719_468, [0, 3, 1]), (-719_469, [0, 2, 29]), (2_932_896, [9999, 12, 31]),
    ])
    func dates(days: Int, expected: [Int]) {
        let date = CivilDate(daysSince1970: days)
        expectEqual([date.year, date.month, date.day], expected)
    }

    /// 400 years, day by day: each is the day after the one before.
    @Test func noDayIsLeftOutOrTwice() {
        var last = CivilDate(daysSince1970: -73_049)
        for days in -73_048..<73_049 {
            let date = CivilDate(daysSince1970: days)
            let isNext =
                date.day == last.day + 1 && date.month == last.month && date.year == last.year
            let isFirst =
                date.day == 1 && last.day >= 28
                && (date.month == last.month + 1 && date.year == last.year
                    || date.month == 1 && last.month == 12 && date.year == last.year + 1)
            if !isNext && !isFirst { Issue.record("\(last) is followed by \(date)") }
            last = date
        }
    }
}
