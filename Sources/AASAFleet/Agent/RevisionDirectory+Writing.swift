import AppSiteAssociation
import OpenSSL
import Reactor

extension RevisionDirectory {
    /// A revision that is being built; not seen by anybody.
    package struct Draft: Sendable {
        let folder: FolderDraft
        /// Hashes of what was decrypted, by path.
        fileprivate var opened: [(String, String)] = []
    }

    private static let draftMark = ".new-"

    package func begin(_ id: RevisionID) throws(FleetError) -> Draft {
        let name = "\(Self.draftMark)\(CurrentProcess.id)-\(id.folderName)"
        return try wrapped { () throws(FileError) in
            Draft(folder: try FolderDraft("\(path)/revisions/\(name)", owner: owner))
        }
    }

    /// Whether it is the draft of another process that runs: the successor of an upgrade and
    /// `--check` share the folder with it.
    static func isBeingFetched(_ name: String) -> Bool {
        let process = ProcessID(name.dropFirst(draftMark.count).prefix { $0 != "-" }) ?? 0
        return process > 0 && process != CurrentProcess.id && OtherProcess.exists(process)
    }

    /// - Parameter file: has a path that `RevisionFile.isSafe` takes.
    package func write(
        _ bytes: [UInt8], as file: RevisionFile, to draft: inout Draft
    ) throws(FleetError) {
        try wrapped { () throws(FileError) in
            try draft.folder.write(bytes, to: file.path, mode: file.isSecret ? 0o600 : 0o644)
        }
        if file.isSecret { draft.opened.append((file.path, hexadecimal(sha256(bytes)))) }
    }

    /// Forces the draft to disk and gives it its name.
    package func finish(
        _ draft: Draft, _ record: RevisionRecord, _ list: FileList, _ id: RevisionID
    ) throws(FleetError) {
        try wrapped { () throws(FileError) in
            let opened = FieldReader.encode([
                ("files", .object(draft.opened.map { ($0.0, .text($0.1)) }))
            ])
            let files =
                [
                    (Self.recordName, record.encoded),
                    (Self.openedName, opened),
                ] + list.parts.enumerated().map { (Self.partName($0.offset), $0.element) }
            for (name, bytes) in files { try draft.folder.write(bytes, to: name) }
            try Files.syncFileSystem(of: draft.folder.path)
            try draft.folder.finish(as: folder(of: id))
        }
    }
}
