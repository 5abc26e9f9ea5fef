import Reactor
import Testing

@Suite struct ProblemTests {
    @Test func `It reads as place and cause; the remedy stands by itself`() {
        let problem = Problem(
            place: "site/a.test", cause: "no such folder", remedy: "make it", isMissing: true)
        #expect(problem.description == "site/a.test: no such folder")
        #expect(problem.remedy == "make it" && problem.isMissing)
    }

    @Test func `What is not said to be missing is there`() {
        let problem = Problem(place: "--user", cause: "no", remedy: Problem.limitsOfTheMachine)
        #expect(!problem.isMissing)
        #expect(problem != Problem(place: "--user", cause: "no", remedy: "other"))
    }
}
