import AASAFleet
import AppSiteAssociation
import ArgumentParser
import Reactor

/// `aasa fleet prune`
struct FleetPrune: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "prune",
        abstract: "Remove old revisions and the files that only they use.",
        discussion: """
            What a channel serves is kept, however old. Safe while others publish: they check that \
            files still exist before they move a channel.
            """)

    @OptionGroup var options: FleetOptions

    @Option(help: .value("n", "How many of the newest revisions to keep.")) var keep = 20

    @Flag(help: "Report what would be removed, and change nothing.") var dryRun = false

    func validate() throws {
        if keep < 1 { throw ValidationError("--keep requires a number from 1") }
    }

    func run() throws {
        let store = try options.store()
        let report = try store.prune(keep: keep, isDryRun: dryRun)
        let gone = report.removed.map { "\($0)" }.joined(separator: ", ")
        Terminal.print(
            (dryRun ? "revisions to remove: " : "revisions removed: ")
                + "\(report.removed.count)\(gone.isEmpty ? "" : " (\(gone))"), "
                + "files: \(report.blobs); revisions kept: \(report.kept.count)")
    }
}

/// `aasa fleet verify`
struct FleetVerify: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Read everything that is stored, and check every hash.",
        discussion: """
            With the fleet's key, certificates are decrypted too.

            Exit status: 0 all is as it was published, 1 something is damaged.
            """)

    @OptionGroup var options: FleetOptions

    @Option(
        help: .value("file", "The key file that certificates are encrypted with. (AASA_FLEET_KEY)"))
    var fleetKey: String?

    func run() throws {
        let keyRing = try FleetOptions.keyRing(fleetKey)
        let store = try options.store()
        let report = try store.check(keyRing: keyRing)
        for problem in report.problems { Terminal.print("\(problem.place): \(problem.cause)") }
        Terminal.print(
            "revisions: \(report.revisions), files: \(report.blobs), bytes: \(report.bytes); "
                + (report.problems.isEmpty
                    ? "all as published" : "\(report.problems.count) damaged"))
        if !report.problems.isEmpty { throw ExitStatus.findings }
    }
}

/// `aasa fleet key`
struct FleetKey: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "key",
        abstract: "Create the key that encrypts certificates, or add a new one.",
        discussion: """
            Copy the file to every machine and to the publisher; only they may read it. Never store it in \
            etcd. To change the key, run this command with --add on the publisher: it puts a new key before \
            the old one. Copy the file to every machine, restart them, and publish again, so that the new \
            key seals the certificates. Last, remove the old line from every copy.
            """)

    @Argument(help: .value("file", "The key file.")) var file: String

    @Flag(help: "Add a new key before the existing ones.") var add = false

    func run() throws {
        let exists = Files.exists(file)
        if exists, !add, !Files.isFolder(file) {
            throw CommandError(
                "there is a file already", place: file,
                remedy: "--add puts a new key before the old one")
        }
        if add, !exists {
            throw CommandError(
                "there is no such file", place: file, remedy: "without --add a new one is made")
        }
        try FileReplacement.check(file)
        let text = try KeyRing.text(adding: exists ? try KeyRing(reading: file) : nil)
        try FileReplacement.replace(file, with: text, mode: 0o600)
        Terminal.note("\(file): copy it to every machine; it never goes into etcd")
    }
}
