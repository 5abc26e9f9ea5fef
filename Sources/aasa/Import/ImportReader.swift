import AASAServer
import AppSiteAssociation

/// Finds the document and its siblings in what a user names: a file, a folder of a web server, an
/// nginx configuration, a Firebase project, or a live host.
struct ImportReader {
    let connect: ConnectOptions
    /// The host to look for where a source has several.
    let host: String

    /// Bytes of one sibling that are read: the server's own limit is below it.
    private static let bytesMaximum = 1 << 20
    /// Entries of one folder that are looked at.
    private static let entriesMaximum = 4096
    /// As deep as projects go; symbolic links may lead in circles.
    private static let depthMaximum = 12

    func read(_ named: String) throws -> ImportedSite {
        if named.hasPrefix("https://") || named.hasPrefix("http://") {
            return try LiveImport(connect: connect).read(named)
        }
        // A shell completes a folder's name with a slash.
        var source = named
        while source.count > 1, source.hasSuffix("/") { source.removeLast() }
        guard isFolder(source) else {
            if source.hasSuffix("firebase.json") { return try firebase(source) }
            if source.hasSuffix(".conf") { return try nginx([source]) }
            let file = try document(source)
            // As a file of sites-available/ is called.
            if Self.looksLikeNginx(file) { return try nginx([source]) }
            return ImportedSite(document: file)
        }
        if exists(source + "/firebase.json") { return try firebase(source + "/firebase.json") }
        let found = try webRoot(source)
        if found.document != nil { return found }
        let nginx = try nginx(
            try files(below: source) { $0.hasSuffix(".conf") || $0.contains("/sites-") })
        if nginx.document != nil || !nginx.notes.isEmpty { return nginx }
        let documents = try files(below: source) {
            $0.hasSuffix("/" + ImportedSite.documentName)
        }
        switch documents.count {
        case 0:
            throw CommandError(
                "no \(ImportedSite.documentName) and no nginx configuration that names one",
                place: source, remedy: "name the file itself")
        case 1: return try webRoot(Self.root(of: documents[0]))
        default:
            throw CommandError(
                "several documents: \(documents.joined(separator: ", "))", place: source,
                remedy: "name the one that is meant")
        }
    }

    // MARK: Folders

    /// The folder that a web server serves: the document and `.well-known/`.
    private func webRoot(_ folder: String) throws -> ImportedSite {
        var site = ImportedSite()
        for place in ["/.well-known/", "/"] {
            let path = folder + place + ImportedSite.documentName
            guard exists(path) else { continue }
            let found = try document(path)
            if let taken = site.document, differ(taken, found) {
                site.notes.append(
                    "\(path) is another document, which is left out: devices since iOS 13 read "
                        + "only \(taken.name)")
            }
            site.document = site.document ?? found
        }
        // A `.well-known` folder itself may be named as well.
        let inner = folder + "/.well-known"
        let known = isFolder(inner) ? inner : folder
        guard known != folder || folder.hasSuffix(".well-known") else { return site }
        for name in try entries(known) where name != ImportedSite.documentName {
            let path = known + "/" + name
            if isFolder(path) {
                site.notes.append("\(path) is a folder: copy by hand what is still needed")
                continue
            }
            let bytes = try InputFile.read(path, maximum: Self.bytesMaximum)
            if let refusal = SiblingCatalog.refusal(of: name, bytes: bytes) {
                site.notes.append("\(path) is left out: \(refusal.cause); \(refusal.remedy)")
            } else {
                site.siblings.append((name, bytes))
            }
        }
        return site
    }

    /// `…/x/.well-known/apple-app-site-association` → `…/x`
    private static func root(of document: String) -> String {
        var parts = document.split(separator: "/", omittingEmptySubsequences: false).dropLast()
        if parts.last == ".well-known" { parts = parts.dropLast() }
        return parts.joined(separator: "/")
    }

    // MARK: nginx

    /// No JSON, and directives of which every configuration for a document has one. A document that
    /// is broken begins as a document does.
    private static func looksLikeNginx(_ file: SourceText) -> Bool {
        let text = String(decoding: file.bytes, as: UTF8.self)
        let start = text.first { !$0.isWhitespace }
        return start != "{" && start != "["
            && (text.contains("server") || text.contains("location"))
    }

    private func nginx(_ configurations: [String]) throws -> ImportedSite {
        var answers: [(file: String, answer: NginxConfiguration.Answer)] = []
        for path in configurations {
            let text = String(decoding: try InputFile.read(path), as: UTF8.self)
            guard text.contains(ImportedSite.documentName) else { continue }
            answers += NginxConfiguration(text).answers.map { (path, $0) }
        }
        var site = ImportedSite()
        if let best = answers.compactMap({ NginxServerName.rank($0.answer.names, host) }).max() {
            answers = answers.filter { NginxServerName.rank($0.answer.names, host) == best }
        } else if let first = answers.first {
            let servers = Set(answers.map { $0.answer.names.joined(separator: " ") }).sorted()
            guard servers.count == 1 else {
                throw CommandError(
                    "several servers, none of them for \(host): \(servers.joined(separator: "; "))",
                    place: first.file,
                    remedy: "name the folder SITE/HOST after one of them, or import its document")
            }
            site.notes.append("\(first.file) is for \(servers[0]), not for \(host)")
        }
        for request in NginxConfiguration.Request.allCases {
            for (file, answer) in answers where answer.request == request {
                let place = "\(file):\(answer.line)"
                do throws(NotTaken) {
                    let found = try document(answer.content, from: file, place)
                    guard let taken = site.document else {
                        site.document = found
                        continue
                    }
                    if request != .other, differ(taken, found) {
                        site.notes.append("\(place) serves another document, which is left out")
                    }
                } catch {
                    // What comes after the one that is served matters to nobody.
                    if site.document == nil { site.notes.append("\(place) \(error.cause)") }
                }
            }
        }
        return site
    }

    /// Why what a location serves cannot be taken over.
    private struct NotTaken: Error { let cause: String }

    private func document(
        _ content: NginxConfiguration.Answer.Content, from configuration: String, _ place: String
    ) throws(NotTaken) -> SourceText {
        switch content {
        case .text(let text): return SourceText(name: place, text: text)
        case .files(let paths):
            for path in paths.lazy.flatMap({ candidates($0, from: configuration) }) {
                if let found = try? document(path) { return found }
            }
            throw NotTaken(cause: "names \(paths.joined(separator: ", ")), which is not there")
        case .elsewhere(let what): throw NotTaken(cause: "does not serve a file: \(what)")
        }
    }

    /// A path of a configuration: as it stands, or below the tree that the configuration lies in
    /// (a copy of `/etc/nginx` and `/var/www` side by side).
    private func candidates(_ path: String, from configuration: String) -> [String] {
        var found = [path]
        var parts = configuration.split(separator: "/", omittingEmptySubsequences: false).dropLast()
        while !parts.isEmpty {
            let folder = parts.joined(separator: "/")
            found.append(path.hasPrefix("/") ? folder + path : folder + "/" + path)
            parts = parts.dropLast()
        }
        return found
    }

    // MARK: Firebase

    private func firebase(_ path: String) throws -> ImportedSite {
        let source = try InputFile.source(path)
        let hosting: FirebaseHosting
        do {
            hosting = try FirebaseHosting(reading: source)
        } catch {
            throw CommandError(error.diagnostic, in: path)
        }
        let folder = path.split(separator: "/", omittingEmptySubsequences: false).dropLast()
            .joined(separator: "/")
        let base = folder.isEmpty ? (path.hasPrefix("/") ? "/" : ".") : folder
        guard let chosen = hosting.sites.first(where: { $0.name == host }) ?? hosting.sites.first
        else {
            throw CommandError(
                "it has no hosting with a public folder", place: path,
                remedy: "name the folder or the file that is served")
        }
        var site = try webRoot(base + "/" + chosen.folder)
        if hosting.sites.count > 1 {
            site.notes.append("firebase.json has several sites; \(chosen.folder) was taken")
        }
        if let ignored = chosen.ignored {
            site.notes.append(
                "firebase.json ignores \"\(ignored)\": Firebase never uploaded .well-known/")
        }
        if site.document == nil, chosen.inventsFiles {
            site.notes.append(
                "Firebase invents the association file (appAssociation AUTO) from the apps of the "
                    + "project; take it from the live host: aasa import https://\(host) …")
        }
        return site
    }

    // MARK: Files

    /// A document, out of its signature where it has one.
    private func document(_ path: String) throws -> SourceText {
        AssociationInput.payload(try InputFile.source(path))
    }

    /// Whether two documents differ in meaning.
    private func differ(_ one: SourceText, _ other: SourceText) -> Bool {
        guard one.bytes != other.bytes else { return false }
        guard let one = try? AssociationFile(reading: one),
            let other = try? AssociationFile(reading: other)
        else { return true }
        return !AssociationDiff.diff(one, other).isEmpty
    }

    private func entries(_ folder: String) throws -> [String] {
        try FileReading.entries(of: folder, maximum: Self.entriesMaximum)
            .filter { $0.kind == .file || $0.kind == .folder }.map(\.name).sorted()
    }

    private func isFolder(_ path: String) -> Bool {
        (try? FileReading.entries(of: path, maximum: Self.entriesMaximum)) != nil
    }

    private func exists(_ path: String) -> Bool { (try? InputFile.read(path)) != nil }

    /// Files below a folder whose path is wanted, folders that tools make left out.
    private func files(
        below folder: String, depth: Int = 0, where wanted: (String) -> Bool
    ) throws -> [String] {
        guard depth < Self.depthMaximum else { return [] }
        var found: [String] = []
        // Hidden entries are left out of listings; this one is what is looked for.
        let hidden = isFolder(folder + "/.well-known") ? [".well-known"] : []
        for name in hidden + (try entries(folder)) where name != "node_modules" {
            let path = folder + "/" + name
            if isFolder(path) {
                found += try files(below: path, depth: depth + 1, where: wanted)
            } else if wanted(path) {
                found.append(path)
            }
        }
        return found
    }
}
