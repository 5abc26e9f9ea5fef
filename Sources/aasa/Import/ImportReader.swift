import AASAServer
import AppSiteAssociation
import Reactor

/// Reads the document and its siblings from a file or from the folder of a web server.
enum ImportReader {
    /// Entries of one folder of a web server.
    private static let entriesMaximum = 4096

    static func read(_ source: String) throws -> ImportedSite {
        // A shell completes a folder's name with a slash.
        var path = source
        while path.count > 1, path.hasSuffix("/") { path.removeLast() }
        let isRoot = isFolder(path)
        var site = try isRoot ? folder(path) : ImportedSite(document: document(path))
        if let known = wellKnown(beside: isRoot ? path : Files.folder(of: path)) {
            try readSiblings(known, &site)
        }
        return site
    }

    private static func document(_ path: String) throws -> SourceText {
        AssociationInput.payload(try InputFile.source(path))
    }

    /// A web root, or its `.well-known/`.
    private static func folder(_ folder: String) throws -> ImportedSite {
        let isKnown = folder == ".well-known" || folder.hasSuffix("/.well-known")
        let places = isKnown ? [folder] : [folder + "/.well-known", folder]
        let paths = places.map { "\($0)/\(ImportedSite.documentName)" }
        let found = try paths.filter(exists).map(document)
        guard let taken = found.first else {
            if let path = paths.map({ $0 + ".json" }).first(where: exists) {
                throw CommandError(
                    "the name has an extension, so no device finds the file", place: path,
                    remedy: "publish it as \(ImportedSite.documentName), or import the file itself")
            }
            throw CommandError(
                "no \(ImportedSite.documentName) here or in .well-known/", place: folder,
                remedy: "name the file itself, or the folder that the web server serves")
        }
        var site = ImportedSite(document: taken)
        for other in found.dropFirst() where differ(taken, other) {
            site.missing.append(
                "\(other.name) differs from \(taken.name), and a host has only one: devices "
                    + "since iOS 13 read only the latter")
        }
        return site
    }

    private static func readSiblings(
        _ known: String, below prefix: String = "", depth: Int = 1, _ site: inout ImportedSite
    ) throws {
        let entries = try FileReading.entries(of: known + "/" + prefix, maximum: entriesMaximum)
        for entry in entries.sorted(by: { $0.name < $1.name })
        where entry.kind == .file || entry.kind == .folder {
            let name = prefix + entry.name
            let path = known + "/" + name
            // Challenges exist for a minute, and the document is no sibling.
            if name == ImportedSite.documentName || name == "acme-challenge" { continue }
            if isFolder(path) {
                if depth < SiteLimits.siblingDepthMaximum {
                    try readSiblings(known, below: name + "/", depth: depth + 1, &site)
                } else {
                    site.missing.append("\(path): folders so deep are not served")
                }
                continue
            }
            do throws(Problem) {
                // A link may lead to what the web server never served.
                let bytes = try FileReading.bytes(
                    at: path, maximum: SiteLimits.siblingBytesMaximum,
                    beneath: [known, Files.folder(of: known)].compactMap(Files.resolved))
                site.add(name, bytes, from: path)
            } catch {
                site.missing.append("\(path): \(error.cause)")
            }
        }
    }

    // MARK: Paths

    /// The `.well-known/` that belongs to a folder: itself, or the one in it.
    private static func wellKnown(beside folder: String) -> String? {
        let inner = folder + "/.well-known"
        if isFolder(inner) { return inner }
        return folder == ".well-known" || folder.hasSuffix("/.well-known") ? folder : nil
    }

    /// Whether two documents differ in meaning.
    private static func differ(_ one: SourceText, _ other: SourceText) -> Bool {
        guard one.bytes != other.bytes else { return false }
        guard let one = try? AssociationFile(reading: one),
            let other = try? AssociationFile(reading: other)
        else { return true }
        return !AssociationDiff.diff(one, other).isEmpty
    }

    private static func isFolder(_ path: String) -> Bool {
        (try? FileReading.entries(of: path, maximum: entriesMaximum)) != nil
    }

    private static func exists(_ path: String) -> Bool { (try? InputFile.read(path)) != nil }
}
