import AASAFleet
import AppSiteAssociation
import ArgumentParser
import OpenSSL
import Reactor

/// `aasa fleet status`: what every machine serves, and whether they are of one mind.
struct FleetStatus: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Show what every machine serves and rejects, and why.",
        discussion: """
            Machines report every 30 seconds, and whenever they serve something else. A machine that is \
            gone leaves the list after 30 seconds.

            Exit status: 0 all serve the channel's revision; 1 some do not, or fewer than --expect are \
            there; 3 etcd does not answer.
            """)

    @OptionGroup var options: FleetOptions

    @Option(help: .value("name", "Only this channel. (default: all)"))
    var channel: String?

    @Option(
        help: .value("time", "Time to wait for machines to catch up: 60s, 2m."))
    var wait: String?

    @Option(help: .value("n", "The minimum number of machines."))
    var expect = 1

    @Option(help: "text or json, on stdout.") var format: OutputFormat = .text

    /// A cluster is asked twice a second at most.
    private static let pause: Duration = .milliseconds(500)

    func validate() throws {
        if let channel { try FleetOptions.check(channel: channel) }
        if let wait, Self.duration(wait) == nil {
            throw ValidationError("--wait requires a time, for example 60s or 2m, not \"\(wait)\"")
        }
    }

    static func duration(_ text: String) -> Duration? {
        let digits = text.prefix { $0.isNumber && $0.isASCII }
        guard let number = Int64(digits), number <= 86_400 else { return nil }
        return switch text.dropFirst(digits.count) {
        case "", "s": .seconds(number)
        case "m": .seconds(60 * number)
        case "ms": .milliseconds(number)
        default: nil
        }
    }

    func run() throws {
        let store = try options.store()
        let end = MonotonicInstant.now() + (wait.flatMap(Self.duration) ?? .zero)
        while true {
            let view = try FleetView(store, channel: channel)
            let isGood = view.isUnited(expecting: expect)
            if isGood || MonotonicInstant.now() >= end {
                format.show(InertText.joined(view.lines(now: WallClock.seconds)), view.json)
                if !isGood { throw ExitStatus.findings }
                return
            }
            CurrentProcess.sleep(min(end - .now(), Self.pause))
        }
    }
}

/// Channels and machines at one look.
struct FleetView {
    struct Channel {
        let name: String
        let pointer: ChannelPointer?
        let records: [MachineRecord]
        let spread: RevisionDistribution
    }

    private(set) var channels: [Channel] = []
    private var unreadable: [String] = []
    /// The channels whose pointers are.
    private var damaged: Set<String> = []

    init(_ store: FleetStore, channel wanted: String?) throws(FleetError) {
        var pointers: [String: ChannelPointer] = [:]
        for (name, pointer) in try store.channels() {
            do throws(FleetError) {
                pointers[name] = try pointer.get()
            } catch {
                unreadable.append("channel \(name): \(error.problem.cause)")
                damaged.insert(name)
            }
        }
        var records: [MachineRecord] = []
        for entry in try store.entries(below: store.keys.machines) {
            do throws(FleetError) {
                records.append(try MachineRecord(decoding: entry.value, place: entry.key))
            } catch {
                unreadable.append("\(entry.key): \(error.problem.cause)")
            }
        }
        let names =
            wanted.map { [$0] }
            ?? damaged.union(pointers.keys).union(records.map(\.channel)).sorted()
        for name in names {
            let own = records.filter { $0.channel == name }.sorted { $0.machine < $1.machine }
            channels.append(
                Channel(
                    name: name, pointer: pointers[name], records: own,
                    spread: RevisionDistribution(target: pointers[name]?.revision, records: own)))
        }
    }

    func isUnited(expecting expected: Int) -> Bool {
        !channels.isEmpty && unreadable.isEmpty
            && channels.allSatisfy { $0.spread.isUnited(expecting: expected) }
    }

    func lines(now: Int64) -> [String] {
        if channels.isEmpty {
            return ["nothing was published, and no machine reports"] + unreadable
        }
        return channels.flatMap { channel -> [String] in
            var lines: [String] = []
            if let pointer = channel.pointer {
                lines.append(
                    "\(channel.name): revision \(pointer.revision), \(pointer.action.rawValue) "
                        + pointer.origin)
            } else if damaged.contains(channel.name) {
                lines.append(
                    "\(channel.name): its pointer is damaged: run aasa fleet rollback, or publish the "
                        + "site again")
            } else {
                lines.append(
                    "\(channel.name): nothing published: run aasa fleet publish SITE --channel "
                        + "\(channel.name), or correct --channel of its machines")
            }
            let since = channel.pointer.map { ", for \(max(0, now - $0.time)) s" } ?? ""
            lines.append("  " + channel.spread.text + (channel.records.isEmpty ? "" : since))
            return lines + channel.records.flatMap(Self.lines)
        } + unreadable
    }

    private static func lines(_ record: MachineRecord) -> [String] {
        var line = "  \(record.machine): \(record.revision.map { "\($0)" } ?? "nothing")"
        line += " since \(DateText.moment(record.since)), \(record.health.level)"
        line += ", \(record.health.answered) answers/s, \(record.health.unavailable) 503s/s"
        if let end = record.health.certificateEnd {
            line += ", certificates until \(DateText.day(end))"
        }
        var lines = [line]
        if let refused = record.refused {
            let what = refused.revision.number > 0 ? "\(refused.revision)" : "the channel"
            lines.append("    rejected \(what): \(refused.reason)")
        }
        if let damage = record.damage {
            lines.append(
                "    \(damage.revision) is damaged on its disk, "
                    + "\(record.revision.map { "\($0)" } ?? "nothing") is served instead: "
                    + damage.reason)
        }
        if let reason = record.health.reason { lines.append("    \(reason)") }
        return lines
    }

    var json: JSONValue {
        let list = channels.map { channel in
            let revision = channel.pointer?.revision
            return JSONValue.object([
                ("channel", .text(channel.name)),
                ("revision", .integer(revision?.number)),
                ("sha256", .text(revision?.hash)), ("united", .flag(channel.spread.isUnited())),
                ("spread", .text(channel.spread.text)),
                ("machines", .list(channel.records.map(\.json))),
            ])
        }
        return .object([("channels", .list(list))])
    }
}
