import FleetSimulation
import Reactor

// Plays a fleet: `Tests/Simulation/fleet --help`.

let help = """
    usage: Tests/Simulation/fleet [--machines N] [--days N] [--seed N] [--runs N]

    Plays machines that follow a channel of an etcd that fails, is paused, cut off and put back from
    backups, with publications, rollbacks and poisoned revisions, and judges them by laws: only what
    was published is served; never nothing; everybody follows within 30 s of the cluster's return;
    a bounded load. Without options: 1,000 machines, 30 days, seed 1.
    Exit status: 0 the laws held, 1 one did not, 2 wrong usage.
    """

var setting = FleetSimulation.Setting()
setting.length = .seconds(30 * 86_400)
var runs = 1
var words = CommandLine.arguments.dropFirst()
while let word = words.popFirst() {
    if word == "--help" {
        print(help)
        CurrentProcess.exit(0)
    }
    guard let value = words.popFirst().flatMap({ Int($0) }), value > 0 else {
        print(help)
        CurrentProcess.exit(2)
    }
    switch word {
    case "--machines": setting.machines = value
    case "--days": setting.length = .seconds(value * 86_400)
    case "--seed": setting.seed = UInt64(value)
    case "--runs": runs = value
    default:
        print(help)
        CurrentProcess.exit(2)
    }
}

var broken = 0
for _ in 0..<runs {
    let summary = FleetSimulation(setting).run()
    print(
        "seed \(setting.seed): \(setting.machines) machines, "
            + "\(setting.length.components.seconds / 86_400) days: \(summary.publications) "
            + "publications, \(summary.faults) faults, \(summary.restores) backups put back, "
            + "\(summary.restarts) restarts, \(summary.applied) revisions taken")
    print(
        "  slowest to follow \(summary.slowest.components.seconds) s; requests "
            + "\(summary.requests): busiest machine \(summary.busiest) in 10 minutes, busiest "
            + "second \(summary.peak); \(summary.steps) steps")
    for violation in summary.violations { print("  broken \(violation)") }
    broken += summary.violations.isEmpty ? 0 : 1
    setting.seed += 1
}
print("\(runs - broken) passed, \(broken) failed")
CurrentProcess.exit(broken == 0 ? 0 : 1)
