import AASAFleet
import AASAServer
import AppSiteAssociation
import ArgumentParser
import Reactor

/// `aasa fleet publish`: a site, to every machine of a channel.
struct FleetPublish: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "publish",
        abstract: "Publish a site to every machine of a channel.",
        discussion: """
            Lints the site as aasa serve --check does, and refuses one with errors. Stores the \
            files by their hashes, then the revision and the channel's pointer in one step. If \
            another person publishes at the same time, the second is refused and sees the \
            difference. --certs also publishes the certificates, encrypted with --fleet-key; once \
            a channel has some, every publication needs --certs or --without-certs.

            Exit status: 0 published, or nothing to do; 1 refused; 3 could not run.

              aasa fleet publish site --fleet web --etcd https://10.0.0.1:2379 --note "app"
            """)

    @Argument(help: .value("site", "The site: one folder per host."))
    var site: String

    @OptionGroup var options: FleetOptions

    @Option(help: .value("name", "The channel."))
    var channel = "stable"

    @Option(
        help: .value("dir", "Publish these certificates as well, encrypted."))
    var certs: String?

    @Option(
        help: .value("file", "The key file that encrypts the certificates. (AASA_FLEET_KEY)"))
    var fleetKey: String?

    @Flag(help: "Publish no certificates although the channel's revision holds some.")
    var withoutCerts = false

    @Option(help: "The reason, shown in the history.") var note = ""

    @Option(help: .value("name", "The author, for the history. (default: USER@MACHINE)"))
    var author: String?

    @Option(
        help: .value("rev", "Publish only if the channel serves this revision."))
    var parent: Int64?

    @Flag(help: "Report what would be published, and change nothing.")
    var dryRun = false

    @Option(help: "Output format.") var format: OutputFormat = .text

    func validate() throws { try FleetOptions.check(channel: channel) }

    func run() throws {
        let keyRing = certs == nil ? nil : try FleetOptions.keyRing(fleetKey)
        let store = try options.store()
        let source = try SiteFolder.read(site)
        let files = try SiteFiles.collect(source, certificates: certs)
        let findings = try FleetTrial.findings(of: source, certificates: certs)
        FindingNotes.print(findings, documents: files.count)
        if findings.contains(where: { $0.severity == .error }) {
            Terminal.note("aasa: the site has errors: nothing was published")
            throw ExitStatus.findings
        }
        // What was linted and what is stored are the same bytes.
        guard try SiteFiles.collect(SiteFolder.read(site), certificates: certs) == files else {
            throw CommandError(
                "the site was changed while it was read", place: site,
                remedy: "publish it again when no process writes into it")
        }
        let publisher = Publisher(
            store: store, channel: channel, author: FleetOptions.author(author),
            note: note, now: WallClock.seconds, keyRing: keyRing)
        let base = try publisher.base()
        if let parent, base.pointer?.revision.number != parent {
            throw CommandError(
                "the channel is at revision \(base.pointer.map { "\($0.revision)" } ?? "none"), "
                    + "not at \(parent)",
                place: "--parent",
                remedy: "aasa fleet diff shows what changed; make your change on top of it",
                status: .findings)
        }
        if certs == nil, !withoutCerts,
            try base.damage != nil || publisher.carriesCertificates(base.pointer?.revision)
        {
            throw CommandError(
                base.damage == nil
                    ? "it holds certificates, and the next revision would hold none"
                    : "its pointer is damaged, and it may have held certificates",
                place: base.pointer.map { "revision \($0.revision)" } ?? "channel \(channel)",
                remedy: "add --certs DIR, or --without-certs if the machines have their own",
                status: .findings)
        }
        if dryRun { return try showPlan(publisher, files, base) }
        let warnings = findings.count { $0.severity == .warning }
        let outcome = try publisher.publish(files, on: base, warnings: warnings)
        try tell(outcome, files.count, store)
    }

    private func showPlan(
        _ publisher: Publisher, _ files: [Publisher.File], _ base: FleetStore.State
    ) throws {
        let plan = try publisher.plan(files, on: base)
        let number = base.pointer.map { "revision \($0.revision)" } ?? "nothing"
        Terminal.print(
            plan.isUnchanged
                ? "channel \(channel) serves exactly this: \(number)"
                : "would be published on top of \(number): \(plan.list.files.count) files, "
                    + "\(plan.missing.count) to be stored")
        guard !plan.isUnchanged else { return }
        let local = Dictionary(
            files.map { ($0.path, $0.bytes) }, uniquingKeysWith: { first, _ in first })
        let before = try FleetSide(revision: base.pointer?.revision, store: publisher.store)
        let after = FleetSide(list: plan.list) { _ in local }
        for line in try FleetDifference.lines(from: before, to: after) { Terminal.print(line) }
    }

    private func tell(
        _ outcome: Publisher.Outcome, _ files: Int, _ store: FleetStore
    ) throws {
        switch outcome {
        case .moved(let id, let parent, let stored):
            report(
                id, isNew: true,
                "revision \(id) published to \(channel): \(files) files, \(stored) stored"
                    + (parent.map { ", on top of \($0)" } ?? ""))
        case .unchanged(let id, let repaired):
            let files = repaired == 1 ? "file was" : "files were"
            report(
                id, isNew: false,
                "channel \(channel) serves exactly this already: revision \(id)"
                    + (repaired > 0 ? "; \(repaired) damaged \(files) repaired" : ""))
        case .lost(let winner, let base):
            Terminal.note(
                "aasa: another publication was first: revision \(winner.revision) "
                    + winner.origin)
            let lines = try? FleetDifference.lines(
                from: FleetSide(revision: base, store: store),
                to: FleetSide(revision: winner.revision, store: store))
            for line in lines ?? [] { Terminal.note(line) }
            Terminal.note("fix: merge that change, and publish again")
            throw ExitStatus.findings
        }
    }

    private func report(_ id: RevisionID, isNew: Bool, _ text: String) {
        format.show(
            text,
            .object([
                ("revision", .integer(id.number)), ("sha256", .text(id.hash)),
                ("channel", .text(channel)), ("published", .flag(isNew)),
            ]))
    }
}
