import AppSiteAssociation
import OpenSSL
import Reactor

extension RevisionDirectory {
    /// A revision that is being built; not seen by anybody.
    package struct Draft: Sendable {
        fileprivate let folder: String
        fileprivate var folders: Set<String> = []
        /// Hashes of what was decrypted, by path.
        fileprivate var opened: [(String, String)] = []
    }

    package func begin(_ id: RevisionID) throws(FleetError) -> Draft {
        let folder = "\(path)/revisions/.new-\(CurrentProcess.id)-\(id.folderName)"
        Files.removeTree(folder)
        var draft = Draft(folder: folder)
        try wrapped { () throws(FileError) in try makeFolder(folder, &draft) }
        return draft
    }

    /// - Parameter file: has a path that `RevisionFile.isSafe` takes.
    package func write(
        _ bytes: [UInt8], as file: RevisionFile, to draft: inout Draft
    ) throws(FleetError) {
        try wrapped { () throws(FileError) in
            var folder = draft.folder
            for part in file.path.split(separator: "/").dropLast() {
                folder += "/\(part)"
                try makeFolder(folder, &draft)
            }
            let target = "\(draft.folder)/\(file.path)"
            try Files.create(target, with: bytes, mode: file.isSecret ? 0o600 : 0o644)
            try give(target)
            if file.isSecret { draft.opened.append((file.path, hexadecimal(sha256(bytes)))) }
        }
    }

    private func makeFolder(_ folder: String, _ draft: inout Draft) throws(FileError) {
        guard draft.folders.insert(folder).inserted else { return }
        try Files.makeFolder(folder, mode: 0o700)
        try give(folder)
    }

    /// The draft as it would be read: for a trial.
    package func trialFolder(_ draft: Draft) -> String { draft.folder }

    package func discard(_ draft: Draft) { Files.removeTree(draft.folder) }

    /// Forces the draft to disk and gives it its name.
    package func finish(
        _ draft: Draft, _ record: RevisionRecord, _ list: FileList, _ id: RevisionID
    ) throws(FleetError) {
        try wrapped { () throws(FileError) in
            let opened = JSONValue.object([
                ("format", .integer(Int(FieldReader.format))),
                ("files", .object(draft.opened.map { ($0.0, .text($0.1)) })),
            ])
            let files =
                [
                    (Self.recordName, record.encoded),
                    (Self.openedName, JSONWriter.minified(opened)),
                ] + list.parts.enumerated().map { (Self.partName($0.offset), $0.element) }
            for (name, bytes) in files {
                try Files.create("\(draft.folder)/\(name)", with: bytes, mode: 0o600)
                try give("\(draft.folder)/\(name)")
            }
            try Files.syncFileSystem(of: draft.folder)
            let target = folder(of: id)
            // One that was damaged, and is not what is served any more.
            if Files.exists(target) { Files.removeTree(target) }
            try Files.rename(draft.folder, to: target)
        }
    }
}
