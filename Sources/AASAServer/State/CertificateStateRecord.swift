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
            for (index, slot) in slots.enumerated() {
                let names = folder.names(of: slot.files, host: name)
                record.add("\(index).chain.name", names.chain)
                record.add("\(index).chain", slot.pair.chain.flatMap(\.pem))
                record.add("\(index).key.name", names.key)
                record.add("\(index).key", slot.pair.key.unencryptedPEM())
                if let since = slot.keptSince { record.add("\(index).kept", "\(since)") }
            }
            return record
        }
    }

    /// Restores what a record holds.
    package mutating func restore(
        _ record: StateRecord, in folder: CertificateFolder
    ) throws(StateError) {
        var restored: [Slot] = []
        var index = 0
        while let chain = record["\(index).chain"] {
            defer { index += 1 }
            guard let key = record["\(index).key"],
                let chainName = record.text("\(index).chain.name"),
                let keyName = record.text("\(index).key.name")
            else { throw .damaged }
            let files = folder.files(named: (chainName, keyName), host: record.name)
            do {
                let pair = try CertificatePair.load(
                    chainPEM: chain, keyPEM: key, chainName: files.chain, keyName: files.key)
                var slot = Slot(files: files, pair: pair, refused: nil)
                slot.keptSince = record.text("\(index).kept").flatMap { Int64($0) }
                restored.append(slot)
            } catch {
                throw .unusable("its certificate cannot be read: \(error.description)")
            }
        }
        if !restored.isEmpty { put(restored, in: record.name) }
    }
}
