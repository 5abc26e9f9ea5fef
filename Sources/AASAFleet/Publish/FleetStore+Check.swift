/// What a check of a fleet's store found.
package struct StoreReport: Sendable {
    package var revisions = 0
    package var blobs = 0
    package var bytes = 0
    /// By revision or channel.
    package var problems: [(place: String, cause: String)] = []
}

extension FleetStore {
    /// Checks hashes, lists, and whether certificates can be decrypted; each blob is read once.
    package func check(keyRing: KeyRing?) throws(FleetError) -> StoreReport {
        var report = StoreReport()
        var known: [String: String?] = [:]
        for (id, record) in try revisions() {
            report.revisions += 1
            let place = "revision \(id.number)"
            do throws(FleetError) {
                let list = try self.list(of: record.get())
                let fresh = list.files.filter { known[$0.hash] == nil }
                let problems = try look(at: fresh, place, keyRing)
                for file in fresh where known[file.hash] == nil {
                    known[file.hash] = .some(problems[file.hash])
                    report.blobs += 1
                    report.bytes += file.size
                }
                for file in list.files {
                    if let problem = known[file.hash] ?? nil {
                        report.problems.append((place, "\(file.path): \(problem)"))
                    }
                }
            } catch {
                if error.store != nil { throw error }
                report.problems.append((place, error.problem.cause))
            }
        }
        if let head = try entry(keys.head, "reading the head"),
            (try? FleetHead(decoding: head.value, place: head.key)) == nil
        {
            report.problems.append((head.key, "it is damaged; the next publication replaces it"))
        }
        for (name, pointer) in try channels() {
            let place = "channel \(name)"
            do throws(FleetError) {
                _ = try record(pointer.get().revision)
            } catch {
                if error.store != nil { throw error }
                report.problems.append((place, error.problem.cause))
            }
        }
        return report
    }

    /// - Throws: ``FleetError`` if the store does not have all of a revision.
    func check(_ id: RevisionID) throws(FleetError) {
        let place = "revision \(id.number)"
        try read(list(of: record(id)).files, place) { file, found throws(FleetError) in
            if case .failure(let error) = found {
                throw .damaged(place, "\(file.path): \(error.problem.cause)")
            }
        }
    }

    private func look(
        at files: [RevisionFile], _ place: String, _ keyRing: KeyRing?
    ) throws(FleetError) -> [String: String] {
        var problems: [String: String] = [:]
        try read(files, place) { file, found throws(FleetError) in
            do throws(FleetError) {
                let bytes = try found.get()
                if file.isSecret, let keyRing {
                    _ = try keyRing.open(bytes, name: keys.fleet + "/" + file.path)
                }
            } catch {
                problems[file.hash] = error.problem.cause
            }
        }
        return problems
    }
}
