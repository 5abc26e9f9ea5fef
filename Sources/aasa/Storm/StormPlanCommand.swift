import AASAStorm
import ArgumentParser

struct StormPlanCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "plan",
        abstract:
            "From a measured handshake rate, link and document to what a release can ask of it.",
        discussion: """
            Measure the rate first: aasa storm URL with rising --devices until devices fail; the \
            handshakes per second of the report are the machine's rate.

            Example: aasa storm plan --rate 7000 --link 1000 --document 2000 --devices 1000000 \
            --over 60
            """)

    @Option(help: ArgumentHelp("Full handshakes per second of one machine.", valueName: "number"))
    var rate: Double

    @Option(help: ArgumentHelp("The link in Mbit/s.", valueName: "number"))
    var link: Double = 1000

    @Option(help: ArgumentHelp("Bytes of the document as sent.", valueName: "bytes"))
    var document: Double = 2000

    @Option(help: ArgumentHelp("Devices that ask.", valueName: "number"))
    var devices: Double

    @Option(help: ArgumentHelp("Seconds over which they ask.", valueName: "seconds"))
    var over: Double = 60

    @Option(help: ArgumentHelp("Seconds that a device waits.", valueName: "seconds"))
    var patience: Double = 60

    @Option(help: "Machines that share the storm.")
    var machines: Double = 1

    func validate() throws {
        for (name, value) in [
            ("--rate", rate), ("--link", link), ("--document", document), ("--devices", devices),
            ("--over", over), ("--patience", patience), ("--machines", machines),
        ] where !(value > 0 && value < 1e12) {
            throw ValidationError("\(name): a number above 0")
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
