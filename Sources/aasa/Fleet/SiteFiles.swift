import AASAFleet
import AASAServer
import Reactor

/// The files of a site and of its certificates, as they are published: everything that the server
/// would read, and nothing that it ignores.
enum SiteFiles {
    /// `HOST/well-known/acme-challenge/TOKEN` is the deepest that is read.
    private static let depthMaximum = 5

    /// - Throws: where something cannot be read.
    static func collect(site: String, certificates: String?) throws -> [Publisher.File] {
        var files: [Publisher.File] = []
        guard let root = Files.resolved(site) else {
            throw CommandError(
                "no such folder", place: site, remedy: "name the folder of the site")
        }
        for host in try entries(of: site) where host.kind == .folder {
            let folder = "\(site)/\(host.name)"
            let roots = [root, Files.resolved(folder)].compactMap { $0 }
            try walk(folder, "\(FileList.site)/\(host.name)", roots, depth: 1, &files)
        }
        if let certificates { try collect(certificates, &files) }
        if files.count > FileList.filesMaximum {
            throw CommandError(
                "\(files.count) files; at most \(FileList.filesMaximum) are published",
                place: site, remedy: "is this the folder of the site?")
        }
        return files.sorted { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
    }

    private static func walk(
        _ folder: String, _ path: String, _ roots: [String], depth: Int,
        _ files: inout [Publisher.File]
    ) throws {
        for entry in try entries(of: folder) {
            let place = "\(folder)/\(entry.name)"
            let target = "\(path)/\(entry.name)"
            switch entry.kind {
            case .folder where depth < depthMaximum:
                try walk(place, target, roots, depth: depth + 1, &files)
            case .file:
                files.append(
                    Publisher.File(
                        path: try safe(target, place),
                        bytes: try read(place, beneath: roots)))
            case .folder, .other, .missing: break
            }
        }
    }

    /// Chains and keys as the server would load them; the local authority's key stays at home.
    private static func collect(_ certificates: String, _ files: inout [Publisher.File]) throws {
        let folder = CertificateFolder(path: certificates)
        do throws(FileError) {
            if !Files.isFolder(certificates) {
                throw FileError("reading the folder", certificates, .notRegular)
            }
            for host in try folder.hosts() {
                for pair in folder.candidates(of: host) {
                    // HAProxy's files hold chain and key in one.
                    for place in pair.chain == pair.key ? [pair.chain] : [pair.chain, pair.key] {
                        let name = place.dropFirst(folder.path.count + 1)
                        let bytes = try Files.read(
                            place, limit: SiteLimits.certificateBytesMaximum)
                        files.append(
                            Publisher.File(path: "\(FileList.certificates)/\(name)", bytes: bytes))
                    }
                }
            }
        } catch {
            throw CommandError(
                error.cause, place: error.path,
                remedy: "every certificate needs its key beside it: aasa certs list")
        }
    }

    private static func entries(of folder: String) throws -> [FolderEntry] {
        try FileReading.entries(of: folder, maximum: SiteLimits.hostsMaximum)
    }

    private static func read(_ place: String, beneath roots: [String]) throws -> [UInt8] {
        try FileReading.bytes(at: place, maximum: FileList.fileBytesMaximum, beneath: roots)
    }

    private static func safe(_ path: String, _ place: String) throws -> String {
        guard RevisionFile.isSafe(path) else {
            throw CommandError(
                "its name cannot be published", place: place,
                remedy: "rename it: no control characters, at most 255 bytes")
        }
        return path
    }
}
