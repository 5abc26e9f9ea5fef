import AASAServer
import AppSiteAssociation
import ArgumentParser

/// `aasa import`: an existing document becomes a host's folder.
struct ImportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Makes SITE/HOST of an existing file, web root, nginx tree, Firebase project or "
            + "live host.",
        discussion: """
            The document is divided into one file per team; its meaning stays the same, which is \
            checked before anything is written (`aasa diff` of the document and the result is \
            empty). A document that cannot be divided (app IDs without a team, teams that \
            alternate) is kept whole, and the reason is said. Siblings under .well-known/ are \
            copied as they are. Of several documents that of \
            /.well-known/apple-app-site-association is taken, which devices read, and another one \
            is said.

            An existing folder is never changed: choose another name, or take it away first.

            Exit status: 0 all was taken over, 1 something is left to do by hand (it is listed).

            Examples:
              aasa import apple-app-site-association site/example.com
              aasa import /var/www/example.com site/example.com
              aasa import /etc/nginx site/example.com
              aasa import https://example.com site/example.com
            """)

    @Argument(help: "A file, a folder, firebase.json, nginx's configuration, or https://host.")
    var source: String

    @Argument(help: ArgumentHelp("The host's folder that is made.", valueName: "site/host"))
    var folder: String

    @OptionGroup var connect: ConnectOptions

    @Flag(help: "Say what would be written, and write nothing.")
    var dryRun = false

    func run() throws {
        let target = folder.hasSuffix("/") ? String(folder.dropLast()) : folder
        let host = target.split(separator: "/").last.map(String.init) ?? target
        if let problem = HostName.problem(of: host) {
            throw CommandError(
                "this cannot be a host's folder: \(problem.message)", place: target,
                remedy: problem.remedy, status: .usage)
        }
        let site = try ImportReader(connect: connect, host: host).read(source)
        guard let document = site.document else {
            throw CommandError(
                site.notes.first ?? "no association document was found", place: source,
                remedy: "name the file itself, or https://\(host)")
        }
        let plan: HostPlan
        do {
            plan = try HostPlan(site, document: document)
        } catch {
            throw CommandError(error.diagnostic, in: document.name, status: .findings)
        }
        if !dryRun { try NewFolder.write(plan.files, to: target) }
        for file in plan.files { Terminal.print("\(target)/\(file.path)") }
        for note in plan.notes { Terminal.note("note: \(note)") }
        Terminal.note(
            (dryRun ? "nothing is written; " : "") + "the result says the same as \(document.name);"
                + " next: aasa lint \(target)")
        if !plan.notes.isEmpty { throw ExitStatus.findings }
    }
}
