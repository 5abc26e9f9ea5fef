import AASAFleet
import ArgumentParser
import OpenSSL
import Reactor

/// What rollback and promote have in common.
struct FleetMoveOptions: ParsableArguments {
    @OptionGroup var fleet: FleetOptions

    @Option(help: "The reason, shown in the history.") var note = ""

    @Option(help: .value("name", "The author, for the history. (default: USER@MACHINE)"))
    var author: String?

    func perform(
        _ channel: String, _ body: (Publisher) throws(FleetError) -> Publisher.Outcome
    ) throws {
        let publisher = Publisher(
            store: try fleet.store(), channel: channel, author: FleetOptions.author(author),
            note: note, now: WallClock.seconds)
        switch try body(publisher) {
        case .moved(let id, let from, _):
            Terminal.print(
                "channel \(channel) serves revision \(id)"
                    + (from.map { " instead of \($0)" } ?? ": it is a new channel"))
        case .unchanged(let id, _):
            Terminal.print("channel \(channel) serves revision \(id) already")
        case .lost(let winner, _):
            throw CommandError(
                "another publication was first: revision \(winner.revision) by \(winner.author) at "
                    + DateText.moment(winner.time),
                place: "channel \(channel)", remedy: "run aasa fleet history", status: .findings)
        }
    }
}

/// `aasa fleet rollback`
struct FleetRollback: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rollback",
        abstract: "Serve an earlier revision again, on every machine of a channel.",
        discussion: """
            Machines that still have the revision on their disk fetch only the pointer from etcd.
            """)

    @Argument(help: .value("rev", "The revision.")) var revision: Int64

    @Option(help: .value("name", "The channel.")) var channel = "stable"

    @OptionGroup var options: FleetMoveOptions

    func validate() throws { try FleetOptions.check(channel: channel) }

    func run() throws {
        try options.perform(channel) { channel throws(FleetError) in
            try channel.rollback(to: revision)
        }
    }
}

/// `aasa fleet promote`
struct FleetPromote: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "promote",
        abstract: "Serve one channel's revision on another channel, such as canary's on stable.",
        discussion: """
            Example, in a pipeline:
              aasa fleet publish site --channel canary
              aasa fleet status --channel canary --wait 60s
              aasa check example.com --resolve example.com:443:CANARY
              aasa fleet promote canary stable
            """)

    @Argument(help: .value("from", "The channel that serves the revision.")) var from: String

    @Argument(help: .value("to", "The channel to serve it on.")) var to: String

    @OptionGroup var options: FleetMoveOptions

    func validate() throws {
        try FleetOptions.check(channel: from)
        try FleetOptions.check(channel: to)
    }

    func run() throws {
        try options.perform(to) { channel throws(FleetError) in
            try channel.promote(from: from)
        }
    }
}
