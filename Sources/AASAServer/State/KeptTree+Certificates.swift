/// The pairs of certificate folders.
///
/// The private keys are kept as well, in files of mode 0600 in folders of mode 0700: a certificate
/// is useless without its key. A user who may read the state folder may read `--certs` too, as the
/// server's user owns both. An operator who does not want a second copy runs without `--state`; a
/// pair that is broken on disk is then lost when the process ends.
extension KeptTree {
    /// The certificate folders of which something is kept.
    var certificateFolders: [String] {
        facts.keys.filter { $0.hasPrefix("certs/") }.map { String($0.dropFirst("certs/".count)) }
            .sorted()
    }

    /// - Parameter path: the folder of all certificates; files are kept by their place in it.
    mutating func add(_ pairs: [KeptPair], of name: String, in path: String) {
        func place(_ file: String) -> String { String(file.dropFirst(path.count + 1)) }
        for pair in pairs {
            files["certs/" + place(pair.files.chain)] = pair.chain
            files["certs/" + place(pair.files.key)] = pair.key
        }
        facts["certs/" + name] = [
            "chains": pairs.map { place($0.files.chain) },
            "keys": pairs.map { place($0.files.key) },
            "keptSince": pairs.map { pair in pair.since.map { "\($0)" } ?? "" },
        ]
    }

    /// The pairs of a folder of which both files are there.
    func pairs(of name: String, in path: String) -> [KeptPair] {
        let facts = facts["certs/" + name] ?? [:]
        let since = facts["keptSince"] ?? []
        return zip(facts["chains"] ?? [], facts["keys"] ?? []).enumerated().compactMap {
            index, names in
            guard let chain = files["certs/" + names.0], let key = files["certs/" + names.1] else {
                return nil
            }
            return KeptPair(
                files: .init(chain: "\(path)/\(names.0)", key: "\(path)/\(names.1)"),
                chain: chain, key: key,
                since: since.indices.contains(index) ? Int64(since[index]) : nil)
        }
    }
}
