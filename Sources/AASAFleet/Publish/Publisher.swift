import OpenSSL

/// Publishes a site to the store: blobs first, then record and pointer in one transaction, so that
/// no machine sees a partial site.
package struct Publisher {
    package let store: FleetStore
    package let channel: String
    package let author: String
    package let note: String
    /// Seconds since 1970.
    package let now: Int64
    /// Encrypts certificates; nil if there are none.
    package let keyRing: KeyRing?

    package init(
        store: FleetStore, channel: String, author: String, note: String, now: Int64,
        keyRing: KeyRing? = nil
    ) {
        self.store = store
        self.channel = channel
        self.author = author
        self.note = note
        self.now = now
        self.keyRing = keyRing
    }

    /// A file of the site.
    package struct File: Sendable, Equatable {
        /// As in ``RevisionFile/path``.
        package let path: String
        package let bytes: [UInt8]

        package init(path: String, bytes: [UInt8]) {
            self.path = path
            self.bytes = bytes
        }
    }

    /// How a change of the channel ended; with the number of files that were stored for it.
    package enum Outcome: Sendable, Equatable {
        case moved(RevisionID, from: RevisionID?, stored: Int)
        /// The channel serves exactly this already; damaged blobs were repaired.
        case unchanged(RevisionID, stored: Int)
        /// Another publisher was faster.
        case lost(to: ChannelPointer, base: RevisionID?)
    }

    /// The channel's current state, on which to publish.
    package func base() throws(FleetError) -> FleetStore.State { try store.state(channel: channel) }

    /// Whether a revision holds certificates; false for a damaged one.
    package func carriesCertificates(_ revision: RevisionID?) throws(FleetError) -> Bool {
        try list(of: revision)?.files.contains(where: \.isSecret) ?? false
    }

    /// The file list of a revision; nil for none and for a damaged one, which does not prevent
    /// publishing as an unreachable store does.
    private func list(of revision: RevisionID?) throws(FleetError) -> FileList? {
        guard let revision else { return nil }
        do throws(FleetError) {
            return try store.list(of: store.record(revision))
        } catch {
            if error.store != nil { throw error }
            return nil
        }
    }

    /// What to store, and what of it is missing in the store.
    package struct Plan: Sendable {
        package let list: FileList
        package let missing: [(hash: String, bytes: [UInt8])]
        /// The file list of the channel's revision; nil if there is none or it is damaged.
        package let parentList: FileList?

        package var isUnchanged: Bool { parentList?.files == list.files }
    }

    package func plan(
        _ files: [File], on base: FleetStore.State
    ) throws(FleetError) -> Plan {
        let parentList = try list(of: base.pointer?.revision)
        let stored = try sealed(files, parentList)
        let list = FileList(
            stored.map {
                RevisionFile(
                    path: $0.path, hash: hexadecimal(sha256($0.bytes)), size: $0.bytes.count)
            })
        var contents: [String: [UInt8]] = [:]
        for file in stored { contents[hexadecimal(sha256(file.bytes))] = file.bytes }
        for part in list.parts { contents[hexadecimal(sha256(part))] = part }
        let blobs = contents.sorted { $0.key < $1.key }
            .map { RevisionFile(path: "", hash: $0.key, size: $0.value.count) }
        var missing: [(hash: String, bytes: [UInt8])] = []
        try store.read(blobs, "stored files") { blob, found throws(FleetError) in
            if case .failure = found { missing.append((blob.hash, contents[blob.hash] ?? [])) }
        }
        return Plan(list: list, missing: missing, parentList: parentList)
    }

    /// Encrypts certificates. One that is already stored, encrypted with the current key, is kept
    /// as it is stored.
    private func sealed(
        _ files: [File], _ parent: FileList?
    ) throws(FleetError) -> [File] {
        let secret = FileList.certificates + "/"
        let known = Dictionary(
            (parent?.files ?? []).map { ($0.path, $0) }, uniquingKeysWith: { first, _ in first })
        var sealed: [File] = []
        for file in files {
            guard file.path.hasPrefix(secret) else {
                sealed.append(file)
                continue
            }
            guard let keyRing else {
                throw FleetError(
                    place: "certificates", cause: "aasa has no key to encrypt them with",
                    remedy: "create one with aasa fleet key FILE, and name it with --fleet-key")
            }
            let name = store.keys.fleet + "/" + file.path
            if let old = known[file.path],
                let stored = try store.entry(store.keys.blob(old.hash), file.path)?.value,
                keyRing.isCurrent(stored, name: name),
                (try? keyRing.open(stored, name: name)) == file.bytes
            {
                sealed.append(File(path: file.path, bytes: stored))
            } else {
                sealed.append(
                    File(path: file.path, bytes: try keyRing.seal(file.bytes, name: name)))
            }
        }
        return sealed
    }

    /// Publishes on top of the channel's state when the work began.
    ///
    /// - Parameters:
    ///   - base: from ``base()``: a channel that has changed since is not overwritten.
    ///   - warnings: what the linter found.
    package func publish(
        _ files: [File], on base: FleetStore.State, warnings: Int
    ) throws(FleetError) -> Outcome {
        try change(from: base, .publish) { (state, nonce) throws(FleetError) in
            let plan = try plan(files, on: state)
            try store.upload(plan.missing)
            if plan.isUnchanged, let pointer = state.pointer {
                return Attempt(id: pointer.revision, stored: plan.missing.count)
            }
            let record = RevisionRecord(
                number: (state.head?.last ?? 0) + 1, author: author, time: now, note: note,
                warnings: Int64(warnings), parent: state.pointer?.revision, list: plan.list,
                nonce: nonce)
            let key = store.keys.revision(record.number)
            return Attempt(
                id: record.id, condition: .unchanged(key, since: 0),
                writes: [.put(key, record.encoded)], stored: plan.missing.count)
        }
    }
}
