import AASAFleet
import AASAServer
import Reactor

/// The files of a site and of its certificates, as they are published: everything that the server
/// reads, and nothing that it ignores.
enum SiteFiles {
    /// - Throws: where something cannot be read or published.
    static func collect(
        _ site: SiteSource, certificates: String?
    ) throws -> [Publisher.File] {
        var files: [Publisher.File] = []
        for host in site.hosts {
            for (name, bytes) in host.tree.files {
                let path = "\(FileList.site)/\(host.name)/\(name)"
                guard RevisionFile.isSafe(path) else {
                    throw CommandError(
                        "its name cannot be published", place: "\(host.place)/\(name)",
                        remedy: "rename it: no control characters, at most 255 bytes")
                }
                files.append(Publisher.File(path: path, bytes: bytes))
            }
        }
        if let certificates { try collect(certificates, &files) }
        if files.count > FileList.filesMaximum {
            throw CommandError(
                "\(files.count) files; at most \(FileList.filesMaximum) are published",
                place: site.path, remedy: "is this the folder of the site?")
        }
        return files.sorted { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
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
}
