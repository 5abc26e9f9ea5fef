import Reactor

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
        try NewFolder.write(
            Self.files.map { ($0.path, Array($0.text.utf8)) }, to: "\(site)/\(Self.host)")
    }

    /// Takes everything away, whatever was put into the folder meanwhile.
    func remove() { Files.removeTree(path) }

    private static let files: [(path: String, text: String)] = [
        (
            "teams/D3KQX62K1A.json",
            """
            {
              "applinks": {
                "details": [
                  {
                    "appIDs": ["D3KQX62K1A.com.example.shop"],
                    "components": [
                      { "/": "/products/*", "comment": "product pages open in the shop" },
                      { "/": "/cart", "?": { "code": "?*" } }
                    ]
                  }
                ]
              },
              "webcredentials": { "apps": ["D3KQX62K1A.com.example.shop"] }
            }

            """
        ),
        (
            "teams/9JA89QQLNQ.json",
            """
            {
              "applinks": {
                "details": [
                  {
                    "appIDs": ["9JA89QQLNQ.com.example.news"],
                    "components": [{ "/": "/articles/*" }]
                  }
                ]
              }
            }

            """
        ),
        (
            "well-known/security.txt",
            """
            Contact: mailto:security@example.com
            Expires: 2099-12-31T23:59:59Z

            """
        ),
    ]
}
