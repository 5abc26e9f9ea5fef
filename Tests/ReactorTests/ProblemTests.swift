import Reactor
import TestSupport
import Testing

@Suite struct ProblemTests {
    @Test func `It reads as place and cause; the remedy stands on a line of its own`() {
        let problem = Problem(
            place: "site/a.test", cause: "no such folder", remedy: "make it", kind: .missing)
        expectEqual(problem.description, "site/a.test: no such folder")
        expectEqual(problem.lines, ["site/a.test: no such folder", "fix: make it"])
    }

    @Test func `What is not known is not said`() {
        let bare = Problem(place: "", cause: "interrupted", remedy: "")
        #expect(bare.description == "interrupted" && bare.lines == ["interrupted"])
        let place = Problem(place: "--user", cause: "no", remedy: "")
        expectEqual(place.lines, ["--user: no"])
    }

    @Test func `Callers can tell what is missing and what is busy`() {
        let kinds: [Problem.Kind] = [.missing, .busy, .other]
        let problems = kinds.map { Problem(place: "a", cause: "b", remedy: "c", kind: $0) }
        expectEqual(problems.map(\.isMissing), [true, false, false])
        expectEqual(problems.map(\.isBusy), [false, true, false])
        expectEqual(Set(problems).count, 3)
        expectEqual(
            Problem(place: "a", cause: "b", remedy: Problem.limitsOfTheMachine).kind, .other)
    }

    @Test func `The error of a call is explained, and its value is not touched`() throws {
        func call(_ number: Int32) throws(SystemError) -> Int32 {
            if number > 0 { throw SystemError(call: "open", number: number) }
            return number
        }
        try expectEqual(Problem.explaining(try call(0)) { .limits("a", $0) }, 0)
        let failure = #expect(throws: Problem.self) {
            try Problem.explaining(try call(2)) { .limits("a", $0) }
        }
        #expect(failure?.place == "a" && failure?.remedy == Problem.limitsOfTheMachine)
    }
}
