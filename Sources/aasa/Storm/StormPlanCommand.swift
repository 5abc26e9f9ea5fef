import AASAStorm
import ArgumentParser

struct StormPlanCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "plan",
        abstract: "Compute the load of a release on your machines.",
        discussion: """
            Measure the rate first: run aasa storm with rising --devices until devices fail. The \
            handshakes per second in its report are the rate of the machine.

              aasa storm plan --rate 7000 --devices 1000000 --over 60
            """)

    @Option(help: .value("number", "Full handshakes per second of one machine."))
    var rate: Double

    @Option(help: .value("number", "The link in Mbit/s."))
    var link: Double = 1000

    @Option(help: .value("bytes", "Bytes of the document as sent."))
    var document: Double = 2000

    @Option(help: .value("number", "How many devices arrive."))
    var devices: Double

    @Option(help: .value("seconds", "The seconds over which they arrive."))
    var over: Double = 60

    @Option(help: .value("seconds", "How long a device waits."))
    var patience: Double = 60

    @Option(help: "Machines that share the storm.")
    var machines: Double = 1

    func validate() throws {
        for (name, value) in [
            ("--rate", rate), ("--link", link), ("--document", document), ("--devices", devices),
            ("--over", over), ("--patience", patience), ("--machines", machines),
        ] where !(value > 0 && value < 1e12) {
            throw ValidationError("\(name): a number above 0 and below 1000000000000")
        }
        for (name, value) in [("--devices", devices), ("--machines", machines)]
        where value.rounded() != value {
            throw ValidationError("\(name): a whole number")
        }
    }

    func run() throws {
        let plan = StormPlan(
            handshakesPerSecond: rate, linkBitsPerSecond: link * 1e6, documentBytes: document,
            devices: devices, surgeSeconds: over, patienceSeconds: patience, machines: machines)
        Terminal.write(Array(plan.text.utf8))
        if plan.failed >= 1 { throw ExitStatus.findings }
    }
}
