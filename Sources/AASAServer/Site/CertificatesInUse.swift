package import OpenSSL
package import Reactor

/// The certificates in use, by folder. A reload keeps what was good: a pair that cannot be read, or
/// is worse than the one in use, never replaces it.
package struct CertificatesInUse: Sendable {
    /// One pair of files and its state.
    package struct Slot: Sendable {
        /// The bytes in use, and since when others were refused.
        package var kept: KeptPair
        /// The pair in use.
        package let pair: CertificatePair
        /// Whether neither file was there at the last load.
        package var isLost = false

        package var files: CertificateFolder.Files { kept.files }
    }

    package fileprivate(set) var slots: [String: [Slot]] = [:]
    /// Everything that was wrong at the last loading, worst things first per folder.
    package fileprivate(set) var problems: [CertificateFinding] = []

    package init() {}

    /// The pairs of a folder: ECDSA first, at most one per key type.
    package func pairs(in folder: String) -> [CertificatePair] {
        [true, false].compactMap { isECDSA in
            slots[folder]?.first { $0.pair.leaf.isECDSA == isECDSA }?.pair
        }
    }

    /// The pairs in use that are not on disk.
    var losses: Set<Loss> {
        Set(
            slots.flatMap { folder, slots in
                slots.filter(\.isLost).map { .pair(folder: folder, chain: $0.files.chain) }
            })
    }

    /// The folders with at least one usable pair, sorted.
    package var folders: [String] { slots.keys.sorted() }

    /// Keeps what is in use.
    ///
    /// - Parameters:
    ///   - used: folders that serve a host.
    ///   - path: the folder of all of them.
    func keep(in tree: inout KeptTree, used: Set<String>, path: String) {
        for (name, slots) in slots where used.contains(name) {
            tree.add(slots.map(\.kept), of: name, in: path)
        }
    }

    /// Takes what an earlier process kept for what is in use.
    ///
    /// - Parameter trial: refuses what no server can use; it may be newer than what is kept.
    /// - Returns: the folders of which a pair cannot be used, and why.
    mutating func restore(
        _ tree: KeptTree, in path: String, trial: CertificateChecker = CertificateChecker()
    ) -> [(name: String, why: String)] {
        var failures: [(name: String, why: String)] = []
        for name in tree.certificateFolders {
            for kept in tree.pairs(of: name, in: path) {
                do throws(OpenSSLError) {
                    let pair = try kept.pair()
                    if let refusal = trial.refusal(of: pair) { throw refusal }
                    slots[name, default: []].append(Slot(kept: kept, pair: pair))
                } catch {
                    failures.append((name, "its certificate is refused: \(error.description)"))
                }
            }
        }
        return failures
    }

    /// Reads every folder under `folder` again.
    ///
    /// - Parameters:
    ///   - names: the host names that each folder has to cover; a folder that no host uses is
    ///     read as well.
    ///   - wanted: every host and alias of the site. What a pair in use covers of them stays
    ///     covered.
    ///   - used: folders that serve a host now, by whatever way it found them.
    ///   - isWhole: everything was put there at once, as a revision is: what is missing was taken
    ///     away on purpose.
    ///   - confirmed: pairs that were reported as missing, and that the operator gives up. The last
    ///     one that covers a host still stays: without it the host would not be served.
    ///   - trial: refuses what no server can use.
    ///   - now: seconds since 1970.
    package func reloaded(
        from folder: CertificateFolder, names: [String: [String]], wanted: Set<String> = [],
        used: Set<String> = [], isWhole: Bool = false, confirmed: Set<Loss> = [],
        trial: CertificateChecker = CertificateChecker(), now: Int64
    ) -> CertificatesInUse {
        var load = Load(
            folder: folder, previous: slots, wanted: wanted, isWhole: isWhole, trial: trial,
            now: now)
        do {
            for name in Set(try folder.hosts()).union(names.keys).union(used).sorted() {
                load.name = name
                load.names = names[name] ?? []
                load.isUsed = used.contains(name) || names[name] != nil
                load.readFolder()
            }
        } catch {
            load.report(
                folder.path, error.description,
                error.isMissing
                    ? "restore the folder, or name another one with --certs"
                    : CertificateFolder.remedy(for: error))
            load.next.slots = slots
            return load.next
        }
        var next = load.next
        next.giveUp(confirmed, hosts: names, wanted, now)
        return next
    }

    /// Takes pairs that are not on disk out of use, where others cover what relies on them: the
    /// hosts of the folder, and what the pair covers of the site.
    private mutating func giveUp(
        _ confirmed: Set<Loss>, hosts: [String: [String]], _ wanted: Set<String>, _ now: Int64
    ) {
        let others = slots.values.joined().filter { !$0.isLost && $0.pair.leaf.isValid(at: now) }
        let isCovered = { (name: String) in others.contains { $0.pair.leaf.covers(name) } }
        for case .pair(let folder, let chain) in confirmed {
            let found = slots[folder]?.firstIndex { $0.isLost && $0.files.chain == chain }
            guard let found, let lost = slots[folder]?[found].pair.leaf else { continue }
            let names = lost.summary.names.map { $0.lowercased() }
            // Asking OpenSSL for each host takes seconds where thousands of pairs are given up.
            let isWild = names.contains { $0.contains("*") }
            let covered = isWild ? wanted.filter { lost.covers($0) } : wanted.intersection(names)
            guard covered.union(hosts[folder] ?? []).allSatisfy(isCovered) else { continue }
            slots[folder]?.remove(at: found)
            if slots[folder]?.isEmpty == true { slots[folder] = nil }
            problems.removeAll { $0.folder == folder && $0.problem.place == chain }
        }
    }

    /// One reading of all folders, and the folder that is being read.
    fileprivate struct Load {
        let folder: CertificateFolder
        let previous: [String: [Slot]]
        let wanted: Set<String>
        let isWhole: Bool
        let trial: CertificateChecker
        let now: Int64
        var next = CertificatesInUse()
        var name = ""
        var names: [String] = []
        var isUsed = false
    }
}

extension CertificatesInUse.Load {
    typealias Slot = CertificatesInUse.Slot

    mutating func readFolder() {
        let candidates = folder.candidates(of: name)
        let previous = (previous[name] ?? []).filter { !isWhole || candidates.contains($0.files) }
        var loaded = candidates.compactMap { files in
            slot(files, previous.first { $0.files == files })
        }
        if !loaded.isEmpty, folder.isRenewedHere(name) {
            next.slots[name] = loaded
            return
        }
        if candidates.isEmpty, previous.isEmpty, isUsed, let obstacle = folder.obstacle(of: name) {
            report(
                folder.folder(of: name), obstacle.description,
                CertificateFolder.remedy(for: obstacle))
        }
        // A folder vanished while its certificate is in use: a renewal that moves files, or a
        // mistake. The certificate in use stays.
        for slot in previous where !candidates.contains(slot.files) && isUsed {
            // An expired certificate is of no use, and there is another one.
            if slot.pair.leaf.summary.notAfter <= now, !loaded.isEmpty { continue }
            let obstacle = folder.obstacle(of: name, to: slot.files)
            let remedy =
                obstacle.map(CertificateFolder.remedy)
                ?? "restore them; if you removed them on purpose and another certificate covers the host, run aasa reload"
            let why = obstacle?.description ?? "\(slot.files.chain) and its key are missing"
            if var kept = refuse(slot.files, slot, why, remedy) {
                kept.isLost = obstacle == nil
                loaded.append(kept)
            }
        }
        if !loaded.isEmpty { next.slots[name] = loaded }
    }

    private mutating func slot(_ files: CertificateFolder.Files, _ current: Slot?) -> Slot? {
        let read: KeptPair
        let candidate: CertificatePair
        do {
            read = try KeptPair(reading: files)
            candidate = try read.pair()
        } catch {
            return refuse(files, current, error)
        }
        if let current, current.pair.identity == candidate.identity {
            note(candidate)
            return Slot(kept: read, pair: current.pair)
        }
        let cutOff = current.map { relied(on: $0.pair, not: candidate) } ?? []
        let found = candidate.problems(
            for: Set(names + cutOff).sorted(), at: now, replacing: current?.pair
        ).filter { $0.severity == .error }
        if let current, let worst = worsening(found, than: current.pair) {
            return refuse(
                files, current, worst.message, worst.remedy, isOfDates: worst.kind.isOfDates)
        }
        // One certificate that OpenSSL refuses must not keep all other hosts from being served.
        if let error = trial.refusal(of: candidate) { return refuse(files, current, error) }
        note(candidate)
        return Slot(kept: read, pair: candidate)
    }

    /// The names of the site that the pair in use covers, and neither the candidate nor a pair of
    /// another folder: a renewal that forgets an alias would cut it off.
    private func relied(
        on current: CertificatePair, not candidate: CertificatePair
    ) -> [String] {
        let dropped = Set(current.leaf.summary.names).subtracting(candidate.leaf.summary.names)
        guard !dropped.isEmpty, current.leaf.isValid(at: now) else { return [] }
        let others = previous.merging(next.slots) { $1 }.filter { $0.key != name }.values.joined()
            .map(\.pair)
        return wanted.filter { host in
            let covers = { (pair: CertificatePair) in
                pair.leaf.covers(host) && pair.leaf.isValid(at: now)
            }
            return covers(current) && !candidate.leaf.covers(host)
                && !others.contains(where: covers)
                && !folder.load(host).pairs.contains(where: covers)
        }
    }

    /// The problem that the candidate has and the pair in use does not. Without a pair in use
    /// nothing counts: a faulty certificate with a logged error is better than none. Nor does it
    /// where every client refuses the one in use, as it has ended or does not cover the host, and
    /// the candidate has not, and does.
    private func worsening(
        _ found: [CertificateProblem], than current: CertificatePair
    ) -> CertificateProblem? {
        let fatal: Set<CertificateProblem.Kind> = [.expired, .notYetValid, .nameNotCovered]
        let isInUseRefused =
            !current.leaf.isValid(at: now) || !names.allSatisfy { current.leaf.covers($0) }
        if isInUseRefused, !found.contains(where: { fatal.contains($0.kind) }) { return nil }
        let known = Set(
            current.problems(for: names, at: now).filter { $0.severity == .error }.map(\.kind))
        return found.first { !known.contains($0.kind) }
    }

    /// With the error's own advice, or else the usual one for files that are being renewed.
    private mutating func refuse(
        _ files: CertificateFolder.Files, _ current: Slot?, _ error: any Error
    ) -> Slot? {
        let remedy =
            switch error {
            case let error as FileError where error.isMissing:
                "add the missing file: a pair is fullchain.pem and privkey.pem"
            case let error as FileError where error.isDenied: error.remedyForReading
            default:
                (error as? OpenSSLError)?.remedy
                    ?? "use the key and the chain of the same renewal; write each to a new file, then rename it over the old one"
            }
        return refuse(files, current, (error as? OpenSSLError)?.cause ?? "\(error)", remedy)
    }

    private mutating func refuse(
        _ files: CertificateFolder.Files, _ current: Slot?, _ why: String, _ remedy: String,
        isOfDates: Bool = false
    ) -> Slot? {
        guard var current else {
            report(files.chain, why, remedy)
            return nil
        }
        let since = current.kept.since ?? now
        current.kept.since = since
        current.isLost = false
        report(
            files.chain,
            "serving the previous certificate since \(DateText.moment(since)), because \(why)",
            remedy, isOfDates: isOfDates)
        return current
    }

    private mutating func note(_ pair: CertificatePair) {
        if KeyPermission.isReadByOthers(pair.keyName) {
            report(
                pair.keyName,
                "every user of this machine can read the private key \(pair.keyName)",
                "remove that permission: chmod o-rwx \(pair.keyName)", isError: false)
        }
        for problem in pair.problems(for: names, at: now) {
            report(
                pair.chainName, problem.message, problem.remedy,
                isError: problem.severity == .error, isOfDates: problem.kind.isOfDates)
        }
    }

    mutating func report(
        _ place: String, _ cause: String, _ remedy: String, isError: Bool = true,
        isOfDates: Bool = false
    ) {
        next.problems.append(
            CertificateFinding(
                folder: name, place: place, isError: isError, isOfDates: isOfDates, cause: cause,
                remedy: remedy))
    }
}

/// A problem with a certificate or its files.
package struct CertificateFinding: Sendable, Hashable {
    package let folder: String
    /// Whether it prevents the files on disk from being served; otherwise it is a warning.
    package let isError: Bool
    /// Whether it is the time that makes it one: the certificate has ended, or not yet begun.
    let isOfDates: Bool
    package let problem: Problem

    /// The same for a folder that serves no name: worth knowing, and no error.
    var ofUnusedFolder: CertificateFinding {
        CertificateFinding(
            folder: folder, place: problem.place, isError: false,
            cause: "\(problem.cause); no host is served with it",
            remedy: "if it is not needed, remove it with its key; otherwise: \(problem.remedy)")
    }

    init(
        folder: String, place: String, isError: Bool, isOfDates: Bool = false, cause: String,
        remedy: String
    ) {
        self.folder = folder
        self.isError = isError
        self.isOfDates = isOfDates
        problem = Problem(place: place, cause: cause, remedy: remedy)
    }
}
