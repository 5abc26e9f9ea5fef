import AASAServer
import AppSiteAssociation
import ArgumentParser

/// `aasa import`: an existing document becomes a host's folder.
struct ImportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Create SITE/HOST from an existing file, web root or live host.",
        discussion: """
            Divides the document into one file per team. The document stays whole if an app ID has no \
            team, or if dividing it would change its meaning. Also copies the other files below \
            .well-known/; of a live host aasa requests the known names, because it cannot list them.

            Then builds the new folder as aasa serve would, and reports every difference in meaning. An \
            existing folder is never changed.

            Exit status: 0 nothing is missing and the result can be served, 1 otherwise.

              aasa import apple-app-site-association site/example.com
              aasa import /var/www/example.com site/example.com --alias www.example.com
              aasa import https://example.com site/example.com
            """)

    @Argument(help: "A file, a web root, or https://host.")
    var source: String

    @Argument(help: .value("site/host", "The host's folder to create."))
    var folder: String

    @Option(
        help: .value("name", "Another name of the host; repeatable."))
    var alias: [String] = []

    @OptionGroup(title: "Connection") var connect: ConnectOptions

    @Flag(help: "Report what would be written, and write nothing.")
    var dryRun = false

    func run() throws {
        let target = folder.hasSuffix("/") ? String(folder.dropLast()) : folder
        let host = target.split(separator: "/").last.map(String.init) ?? target
        for (name, place) in [(host, target)] + alias.map({ ($0, "--alias") }) {
            guard let problem = HostName.problem(of: name) else { continue }
            throw CommandError(
                place == target
                    ? "this cannot be a host's folder: \(problem.message)" : problem.message,
                place: place, remedy: problem.remedy, status: .usage)
        }
        let site =
            source.hasPrefix("https://") || source.hasPrefix("http://")
            ? try LiveImport(connect: connect).read(source) : try ImportReader.read(source)
        let original = AssociationFile(
            document: try InputFile.json(site.document, status: .findings))
        let plan = HostPlan(site, original, aliases: alias)
        let files = Dictionary(plan.files.map { ($0.path, $0.bytes) }) { first, _ in first }
        let parent = target.lastIndex(of: "/").map { String(target[..<$0]) } ?? "."
        let proof = ImportProof(
            original, HostSource(HostTree(name: host, place: target, files: files)), in: parent)
        if !dryRun { try NewFolder.write(plan.files, to: target) }
        for file in plan.files { Terminal.print("\(target)/\(file.path)") }
        for note in plan.notes { Terminal.note("note: \(note)") }
        for missing in site.missing { Terminal.note("missing: \(missing)") }
        for difference in proof.differences { Terminal.note("differs: \(difference)") }
        FindingNotes.print(proof.errors, documents: proof.documents)
        if dryRun { Terminal.note("nothing was written") }
        guard proof.isGood, site.missing.isEmpty else { throw ExitStatus.findings }
        Terminal.note("the result has the same meaning as \(site.document.name) and can be served")
    }
}
