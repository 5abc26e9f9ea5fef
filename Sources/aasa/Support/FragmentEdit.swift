import AASAServer
import AppSiteAssociation
import Glibc

/// One edit of one team's fragment: read, edit, check, replace, all under the folder's lock, so
/// that two edits at once both end up in the file.
struct FragmentEdit {
    let host: HostInput
    let app: String
    let options: AppCommand.EditOptions

    private var team: String { String(app.prefix { $0 != "." }) }
    private var folder: String { "\(host.path)/teams" }
    private var path: String { "\(folder)/\(team).json" }

    /// - Parameter edit: changes the fragment and says what it did.
    func run(_ edit: (inout FragmentEditor) throws -> String) throws {
        if case .readyMade(let source) = host.source.document {
            throw CommandError(
                "the host serves a ready-made document, which is not edited", place: source.name,
                remedy: "move its parts into \(folder)/TEAMID.json, one file per team")
        }
        if mkdir(folder, 0o777) != 0, errno != EEXIST {
            throw CommandError(
                "cannot be made: \(String(cString: strerror(errno)))", place: folder)
        }
        let done = try FileReplacement.locked(folder) {
            // Read again now that nobody else edits: what was read before may be old.
            let current = HostFolder.read(name: host.name, path: host.path)
            let old = try fragment()
            var editor = FragmentEditor(try document(old ?? FragmentEditor.empty))
            let done: String
            do {
                done = try edit(&editor)
            } catch let error as EditError {
                throw CommandError(
                    error.diagnostic.message,
                    place: error.diagnostic.start.map { "\(path):\($0)" } ?? path,
                    remedy: error.diagnostic.remedy,
                    status: error.reason == .shape ? .couldNotRun : .findings)
            }
            try check(editor, against: current)
            if options.dryRun {
                Terminal.write(editor.bytes)
            } else {
                try FileReplacement.replace(path, with: editor.bytes)
            }
            return done
        }
        Terminal.note(options.dryRun ? "would have \(done) in \(path)" : "\(done) in \(path)")
    }

    /// Nil when the team has no file yet.
    private func fragment() throws(CommandError) -> [UInt8]? {
        do {
            return try FileReading.bytes(at: path, maximum: SiteLimits.fragmentBytesMaximum)
        } catch {
            if error.isMissing { return nil }
            throw CommandError(error.cause, place: path, remedy: error.remedy)
        }
    }

    private func document(_ bytes: [UInt8]) throws(CommandError) -> JSONDocument {
        do {
            return try JSONReader.read(SourceText(name: path, bytes: bytes))
        } catch {
            throw CommandError(
                error.message, place: "\(path):\(error.position)", remedy: error.remedy)
        }
    }

    /// An edit may not bring an error that was not there: what was wrong before is for its owner to
    /// mend, and must not keep others from, say, removing an app.
    private func check(_ editor: FragmentEditor, against current: HostSource) throws {
        var sources: [SourceText] = []
        if case .fragments(let found) = current.document { sources = found }
        let before = DocumentBuilder.build(.fragments(sources)).findings
        if let index = sources.firstIndex(where: { $0.name == path }) {
            sources[index] = editor.document.source
        } else {
            sources.append(editor.document.source)
            sources.sort { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
        }
        let known = Set(before.map { Finding($0) })
        let after = DocumentBuilder.build(.fragments(sources)).findings
        let new = after.filter { $0.severity == .error && !known.contains(Finding($0)) }
        guard new.isEmpty else {
            FindingNotes.print(new, documents: sources.count)
            throw CommandError(
                "not changed: the document could not be published any more", place: path,
                status: .findings)
        }
    }

    /// A finding wherever it stands: an edit moves lines.
    private struct Finding: Hashable {
        let code: String
        let message: String
        let file: String

        init(_ diagnostic: Diagnostic) {
            code = diagnostic.code
            message = diagnostic.message
            file = diagnostic.file
        }
    }
}
