import OpenSSL

/// The certificates of one folder → a record, and back.
///
/// The private keys are kept as well, in files of mode 0600 in folders of mode 0700: a certificate
/// is useless without its key. Whoever may read the state folder may read `--certs` too, as the
/// server's user owns both. An operator who does not want a second copy runs without `--state`; a
/// pair that is broken on disk is then lost when the process ends.
extension CertificateStore {
    /// - Parameter folder: the certificate folder; files are kept by their place in it.
    package func records(in folder: CertificateFolder, used: Set<String>) -> [StateRecord] {
        slots.filter { used.contains($0.key) }.sorted { $0.key < $1.key }.map { name, slots in
            var record = StateRecord(.certificates, name)
            for slot in slots {
                let names = folder.names(of: slot.files, host: name)
                var pair = StateRecord(.certificates, name)
                pair.add("chain.name", names.chain)
                pair.add("chain", slot.pair.chain.flatMap(\.pem))
                pair.add("key.name", names.key)
                pair.add("key", slot.pair.key.unencryptedPEM())
                if let since = slot.keptSince { pair.add("kept", "\(since)") }
                record.add(pair: pair)
            }
            return record
        }
    }

    /// Restores what a record holds.
    ///
    /// - Throws: why a pair is not used; the others are.
    package mutating func restore(
        _ record: StateRecord, in folder: CertificateFolder
    ) throws(StateError) {
        var restored: [Slot] = []
        var failure: StateError?
        for pair in record.pairs {
            do throws(StateError) {
                restored.append(try Self.slot(pair, in: folder))
            } catch {
                failure = failure ?? error
            }
        }
        if !restored.isEmpty { put(restored, in: record.name) }
        if let failure { throw failure }
    }

    private static func slot(
        _ pair: StateRecord, in folder: CertificateFolder
    ) throws(StateError) -> Slot {
        guard let chain = pair["chain"], let key = pair["key"],
            let chainName = pair.text("chain.name"), let keyName = pair.text("key.name")
        else { throw .damaged }
        let files = folder.files(named: (chainName, keyName), host: pair.name)
        do {
            let loaded = try CertificatePair.load(
                chainPEM: chain, keyPEM: key, chainName: files.chain, keyName: files.key)
            var slot = Slot(files: files, pair: loaded, refused: nil)
            slot.keptSince = pair.text("kept").flatMap { Int64($0) }
            return slot
        } catch {
            throw .unusable("its certificate cannot be read: \(error.description)")
        }
    }
}

extension StateRecord {
    /// The pairs of a certificate folder, each as a record with the fields of that pair alone:
    /// `chain`, not `0.chain`.
    var pairs: [StateRecord] {
        var pairs: [Int: StateRecord] = [:]
        for field in fields {
            let words = field.name.split(separator: ".", maxSplits: 1)
            guard words.count == 2, let index = Int(words[0]) else { continue }
            pairs[index, default: StateRecord(kind, name)].add(String(words[1]), field.bytes)
        }
        return pairs.sorted { $0.key < $1.key }.map(\.value)
    }

    /// Adds a pair behind the others.
    mutating func add(pair: StateRecord) {
        let index = pairs.count
        for field in pair.fields { add("\(index).\(field.name)", field.bytes) }
    }
}
