import Foundation
import TestSupport
import Testing

@Suite struct StormPlanCommandTests {
    @Test func plansFromAMeasuredRate() throws {
        let plan = try Tool.aasa([
            "storm", "plan", "--rate", "2500", "--devices", "1000000", "--over", "60",
        ])
        expectEqual(plan.status, 1, "\(plan)")
        // Two minutes of answers are not enough for a million.
        #expect(plan.stdout.contains("2,500 per second"), "\(plan)")
        #expect(plan.stdout.contains("of the devices fail, whatever the server does"), "\(plan)")
    }

    @Test func moreMachinesThanNeededLoseNobody() throws {
        let plan = [
            "storm", "plan", "--rate", "100", "--devices", "100000", "--over", "60", "--machines",
        ]
        try expectEqual(Tool.aasa(plan + ["1"]).status, 1)
        try expectEqual(Tool.aasa(plan + ["100"]).status, 0)
        // A link that is too slow loses them all the same.
        try expectEqual(Tool.aasa(plan + ["100", "--link", "0.001"]).status, 1)
    }

    @Test(arguments: ["--devices", "--machines"]) func countsAreWhole(option: String) throws {
        let others = ["--devices", "--machines"].filter { $0 != option }.flatMap { [$0, "9"] }
        let plan = ["storm", "plan", "--rate", "9", option, "0.5"] + others
        let result = try Tool.aasa(plan)
        expectEqual(result.status, 2, "\(result)")
        #expect(result.stderr.contains("\(option): a whole number"), "\(result)")
    }

    @Test(arguments: ["--rate", "--link", "--document", "--over", "--patience", "--machines"])
    func takesNumbersAboveZero(option: String) throws {
        var arguments = ["storm", "plan", "--devices", "9", option, "0"]
        if option != "--rate" { arguments += ["--rate", "9"] }
        let result = try Tool.aasa(arguments)
        expectEqual(result.status, 2, "\(result)")
        #expect(result.stderr.contains("\(option): a number above 0"), "\(result)")
    }
}
