import Reactor
import Texts

/// A temporary folder with a sample site: two teams that share a host, and a sibling.
final class TrialFolder {
    let path: String
    var site: String { path + "/site" }
    var certificates: String { path + "/certs" }

    /// - Throws: when no temporary folder can be made.
    init() throws {
        let parent = CurrentProcess.variable("TMPDIR") ?? "/tmp"
        do throws(FileError) {
            path = try Files.makeTemporaryFolder("\(parent)/aasa-try-")
        } catch {
            throw CommandError(
                error.cause, place: parent,
                remedy: "name a folder that may be written: TMPDIR=FOLDER aasa …")
        }
    }

    /// The host of the sample.
    static let host = "example.com"

    /// Writes the sample.
    func makeSite() throws {
        try NewFolder.write(Self.files, to: "\(site)/\(Self.host)")
    }

    /// Takes everything away, whatever was put into the folder meanwhile.
    func remove() { Files.removeTree(path) }

    private static let files: [(path: String, bytes: [UInt8])] = [
        ("teams/D3KQX62K1A.json", Text.sampleShop.bytes),
        ("teams/9JA89QQLNQ.json", Text.sampleNews.bytes),
        ("well-known/security.txt", Text.sampleSecurity.bytes),
    ]
}
