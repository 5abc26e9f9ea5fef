import Reactor

/// Fetches a revision from the store to disk: its record, its list, and the files that are not
/// there already, each verified by its hash.
struct RevisionFetcher {
    let store: FleetStore
    let revisionDirectory: RevisionDirectory
    let keyRing: KeyRing?

    /// Fetches a revision and tests it; afterwards it is on disk but not served yet.
    ///
    /// - Parameter trial: loads the folder like the server; returns the error, if any.
    /// - Throws: ``FleetError``. With ``FleetError/store`` the store did not provide all of it;
    ///   otherwise the revision is rejected.
    func fetch(
        _ id: RevisionID, trial: (_ folder: String) -> String?
    ) throws(FleetError) {
        let place = "revision \(id.number)"
        let record = try store.record(id)
        let list = try store.list(of: record)
        // Without a key the machine has its own certificates and needs none of the fleet's.
        let files = keyRing == nil ? list.files.filter { !$0.isSecret } : list.files
        var draft = try revisionDirectory.begin(id)
        do throws(FleetError) {
            try copyAndFetch(files, to: &draft, place)
            if let problem = trial(draft.folder.path) {
                throw FleetError(
                    place: place, cause: problem,
                    remedy: "fix the site and publish it again, or run aasa fleet rollback")
            }
            try revisionDirectory.finish(draft, record, list, id)
        } catch {
            draft.folder.discard()
            throw error
        }
    }

    private func copyAndFetch(
        _ files: [RevisionFile], to draft: inout RevisionDirectory.Draft, _ place: String
    ) throws(FleetError) {
        let known = revisionDirectory.known()
        var missing: [RevisionFile] = []
        for file in files {
            if let path = known[file.hash], !file.isSecret,
                let bytes = try? Files.read(path, limit: FileList.fileBytesMaximum),
                bytes.count == file.size, file.matches(bytes)
            {
                try revisionDirectory.write(bytes, as: file, to: &draft)
            } else {
                missing.append(file)
            }
        }
        try store.read(missing, place) { file, found throws(FleetError) in
            switch found {
            case .success(let bytes):
                try revisionDirectory.write(opened(bytes, file), as: file, to: &draft)
            case .failure(let damage):
                throw .damaged(place, "\(file.path): \(damage.problem.cause)")
            }
        }
    }

    private func opened(_ bytes: [UInt8], _ file: RevisionFile) throws(FleetError) -> [UInt8] {
        guard file.isSecret, let keyRing else { return bytes }
        return try keyRing.open(bytes, name: store.keys.fleet + "/" + file.path)
    }
}
