/// Parses a file of recorded arrivals: one arrival per line, its time in seconds (any origin), or
/// two columns `second count` as in a log summary. Blank lines and `#` comments are skipped.
package enum RecordedArrivals {
    /// An error in a recorded file, with its line.
    package struct Problem: Error, Equatable, CustomStringConvertible {
        package let line: Int
        package let cause: String
        package var description: String { "line \(line): \(cause)" }
    }

    /// Maximum of arrivals per file: 8 bytes each, so at most 40 MB.
    package static let mostArrivals = 5_000_000
    /// The furthest time from zero, in seconds: 30,000 years. What is subtracted stays a number.
    private static let timeMaximum = 1e12

    /// - Returns: the arrival times in seconds, ascending.
    /// - Throws: `Problem` with the line and the cause.
    package static func read(_ text: String) throws(Problem) -> [Double] {
        var times: [Double] = []
        var number = 0
        // "\r\n" is one character, and no newline is equal to it.
        for line in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
            number += 1
            let words = line.prefix { $0 != "#" }.split {
                $0 == " " || $0 == "\t" || $0 == "\u{FEFF}" || $0 == ","
            }
            guard let first = words.first else { continue }
            guard let time = Double(first), abs(time) <= timeMaximum else {
                throw Problem(line: number, cause: "'\(first)' is not a time in seconds")
            }
            var count = 1
            if words.count > 1 {
                guard let given = Int(words[1]), given >= 0 else {
                    throw Problem(line: number, cause: "'\(words[1])' is not a count of arrivals")
                }
                count = given
            }
            guard words.count <= 2 else {
                throw Problem(line: number, cause: "expected a time, or a second and a count")
            }
            guard count <= mostArrivals - times.count else {
                throw Problem(line: number, cause: "more than \(mostArrivals) arrivals in total")
            }
            // Arrivals of a counted second are spread evenly over it.
            for index in 0..<count {
                times.append(count == 1 ? time : time + (Double(index) + 0.5) / Double(count))
            }
        }
        guard times.count >= 2 else {
            throw Problem(line: max(number, 1), cause: "fewer than two arrivals in the file")
        }
        times.sort()
        return times
    }
}
