// Covers: ServerLimits+Experiment.swift
import Testing

@testable import AASAServer

@Suite struct ServerLimitsExperimentTests {
    private func expectProblem(_ wanted: String?, of text: String, _ limits: inout ServerLimits) {
        let problem = limits.apply(experiment: text)
        #expect(problem == wanted)
    }

    @Test func everySettingIsUnderstood() {
        var limits = ServerLimits()
        let problem = limits.apply(
            experiment: "backlog-seconds=9,defer=0,batch=64,accepts=3")
        #expect(problem == nil)
        #expect(limits.admission.backlogSeconds == 9)
        #expect(limits.deferAcceptSeconds == 0)
        #expect(limits.admission.startsPerTurn == 64)
        #expect(limits.admission.acceptsPerHandshake == 3)
    }

    @Test func aFixedBacklogIsNotChanged() {
        var limits = ServerLimits()
        expectProblem(nil, of: "backlog=511", &limits)
        #expect(limits.backlog == 511)
        #expect(limits.admission.backlogSeconds == nil)
        expectProblem(nil, of: "", &limits)
    }

    @Test func aPlainQueueKnowsNoAdmission() {
        var limits = ServerLimits()
        expectProblem(nil, of: "plain=0", &limits)
        #expect(limits.admission.startsPerTurn == ServerLimits().admission.startsPerTurn)
        expectProblem(nil, of: "plain=1", &limits)
        #expect(limits.admission.backlogSeconds == nil)
        #expect(limits.admission.startsPerTurn > limits.acceptsPerTurn)
        #expect(limits.shedding.egressBytesMinimum == .max)
    }

    @Test(arguments: ["policy=kernel", "batch", "batch=", "batch=-1", "batch=1e9", "unknown=1"])
    func whatIsNotUnderstoodIsSaid(_ text: String) {
        var limits = ServerLimits()
        expectProblem(text, of: text, &limits)
    }
}
