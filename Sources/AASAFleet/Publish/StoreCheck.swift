import OpenSSL

/// Checks everything in the store: hashes, lists, and whether certificates can be decrypted.
package struct StoreCheck {
    package let store: FleetStore
    package let keyRing: KeyRing?

    package init(store: FleetStore, keyRing: KeyRing?) {
        self.store = store
        self.keyRing = keyRing
    }

    package struct Report: Sendable, Equatable {
        package var revisions = 0
        package var blobs = 0
        package var bytes = 0
        /// By revision or channel.
        package var problems: [(place: String, cause: String)] = []

        package static func == (a: Report, b: Report) -> Bool {
            a.revisions == b.revisions && a.blobs == b.blobs && a.bytes == b.bytes
                && a.problems.elementsEqual(b.problems, by: ==)
        }
    }

    /// Checks everything; each blob is read once.
    package func all() throws(FleetError) -> Report {
        var report = Report()
        var known: [String: String?] = [:]
        for entry in try store.entries(below: store.keys.revisions) {
            report.revisions += 1
            let place = "revision \(Self.number(entry.key))"
            let id = RevisionID(
                number: Self.number(entry.key), hash: hexadecimal(sha256(entry.value)))
            do throws(FleetError) {
                let record = try RevisionRecord(
                    decoding: entry.value, expecting: id, place: place)
                let list = try store.list(of: record)
                let fresh = list.files.filter { known[$0.hash] == nil }
                let problems = try look(at: fresh, place)
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
        if let head = try store.entry(store.keys.head, "reading the head"),
            (try? FleetHead(decoding: head.value, place: head.key)) == nil
        {
            report.problems.append((head.key, "it is damaged; the next publication replaces it"))
        }
        for entry in try store.entries(below: store.keys.channels) {
            let place = "channel " + entry.key.dropFirst(store.keys.channels.count)
            do throws(FleetError) {
                let pointer = try ChannelPointer(decoding: entry.value, place: place)
                _ = try store.record(pointer.revision)
            } catch {
                if error.store != nil { throw error }
                report.problems.append((place, error.problem.cause))
            }
        }
        return report
    }

    /// The problems of one revision.
    package func problems(of id: RevisionID) throws(FleetError) -> [String] {
        do throws(FleetError) {
            let list = try store.list(of: store.record(id))
            let problems = try look(at: list.files, "revision \(id.number)")
            return list.files.compactMap { file in
                problems[file.hash].map { "\(file.path): \($0)" }
            }
        } catch {
            if error.store != nil { throw error }
            return [error.problem.cause]
        }
    }

    private func look(
        at files: [RevisionFile], _ place: String
    ) throws(FleetError) -> [String: String] {
        var problems: [String: String] = [:]
        // In batches, so that a large site is never completely in memory.
        for group in FleetStore.batches(
            files.map { ($0.hash, $0.size) }, bytesMaximum: 4 << 20)
        {
            let (found, damaged) = try store.blobs(group, place)
            problems.merge(damaged) { first, _ in first }
            for (hash, bytes) in found {
                for file in files where file.hash == hash {
                    if bytes.count != file.size {
                        problems[hash] = "\(bytes.count) bytes instead of \(file.size)"
                    } else if file.isSecret, let keyRing {
                        let name = store.keys.fleet + "/" + file.path
                        do throws(FleetError) {
                            _ = try keyRing.open(bytes, name: name)
                        } catch {
                            problems[hash] = error.problem.cause
                        }
                    }
                }
            }
        }
        return problems
    }

    static func number(_ key: String) -> Int64 {
        Int64(key.split(separator: "/").last ?? "") ?? 0
    }
}
