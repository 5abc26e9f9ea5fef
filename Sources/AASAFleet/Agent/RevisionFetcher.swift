import Reactor

/// Brings a revision from the store to the shelf: record, list, and the files that do not lie there
/// already, each checked against its hash.
package struct RevisionFetcher {
    private let store: FleetStore
    private let shelf: RevisionShelf
    private let keyRing: KeyRing?
    /// Files of a batch are held in memory until they are written.
    private static let batchBytesMaximum = 4 << 20

    package init(store: FleetStore, shelf: RevisionShelf, keyRing: KeyRing?) {
        self.store = store
        self.shelf = shelf
        self.keyRing = keyRing
    }

    /// Builds the revision and has it tried; afterwards it lies on the shelf, not yet served.
    ///
    /// - Parameter trial: looks at the folder as the server would load it; what is wrong, or nil.
    /// - Throws: ``FleetError``; with ``FleetError/store`` the store did not give all of it,
    /// without
    ///   it the revision is refused.
    package func fetch(
        _ id: RevisionID, trial: (_ folder: String) -> String?
    ) throws(FleetError) {
        let place = "revision \(id.number)"
        let record = try store.record(id)
        let list = try store.list(of: record)
        if keyRing == nil, list.files.contains(where: \.isSecret) {
            // The machine has certificates of its own: those of the fleet are not for it.
            try build(id, record, list, list.files.filter { !$0.isSecret }, place, trial)
        } else {
            try build(id, record, list, list.files, place, trial)
        }
    }

    private func build(
        _ id: RevisionID, _ record: RevisionRecord, _ list: FileList, _ files: [RevisionFile],
        _ place: String, _ trial: (_ folder: String) -> String?
    ) throws(FleetError) {
        var draft = try shelf.begin(id)
        do throws(FleetError) {
            try copyAndFetch(files, to: &draft, place)
            if let problem = trial(shelf.trialFolder(draft)) {
                throw FleetError(
                    place: place, cause: problem,
                    remedy: "mend the site and publish it again, or aasa fleet rollback")
            }
            try shelf.finish(draft, record, list, id)
        } catch {
            shelf.discard(draft)
            throw error
        }
    }

    private func copyAndFetch(
        _ files: [RevisionFile], to draft: inout RevisionShelf.Draft, _ place: String
    ) throws(FleetError) {
        let known = shelf.known()
        var missing: [RevisionFile] = []
        for file in files {
            if let path = known[file.hash], !file.isSecret,
                let bytes = try? Files.read(path, limit: FileList.fileBytesMaximum),
                bytes.count == file.size, file.matches(bytes)
            {
                try shelf.write(bytes, as: file, to: &draft)
            } else {
                missing.append(file)
            }
        }
        var rest = missing[...]
        let wanted = missing.map { (hash: $0.hash, size: $0.size) }
        for batch in FleetStore.batches(wanted, bytesMaximum: Self.batchBytesMaximum) {
            let (found, problems) = try store.blobs(batch, place)
            for file in rest.prefix(batch.count) {
                guard let bytes = found[file.hash] else {
                    throw .damaged(
                        place, "\(file.path): \(problems[file.hash] ?? "its blob is gone")")
                }
                guard bytes.count == file.size else {
                    throw .damaged(
                        place,
                        "\(file.path) has \(bytes.count) bytes instead of \(file.size)")
                }
                try shelf.write(opened(bytes, file), as: file, to: &draft)
            }
            rest = rest.dropFirst(batch.count)
        }
    }

    private func opened(_ bytes: [UInt8], _ file: RevisionFile) throws(FleetError) -> [UInt8] {
        guard file.isSecret, let keyRing else { return bytes }
        return try keyRing.open(bytes, name: store.keys.fleet + "/" + file.path)
    }
}
