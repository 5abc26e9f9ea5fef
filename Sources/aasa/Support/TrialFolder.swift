import Glibc

/// A temporary folder with a sample site: two teams that share a host, and a sibling.
final class TrialFolder {
    let path: String
    var site: String { path + "/site" }
    var certificates: String { path + "/certs" }

    /// - Throws: when no temporary folder can be made.
    init() throws {
        let parent = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        var template = Array("\(parent)/aasa-try-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else {
            throw CommandError(
                String(cString: strerror(errno)), place: parent,
                remedy: "name a folder that may be written: TMPDIR=… aasa try")
        }
        path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// Writes the sample; returns its hosts.
    func makeSite() throws -> [String] {
        let host = "example.com"
        try NewFolder.write(
            Self.files.map { ($0.path, Array($0.text.utf8)) }, to: "\(site)/\(host)")
        return [host]
    }

    /// Takes everything away, whatever was put into the folder meanwhile.
    func remove() { Self.remove(path, depth: 0) }

    private static func remove(_ path: String, depth: Int) {
        // The folder is ours; the bound is for what somebody may have copied into it.
        guard depth < 32, let folder = opendir(path) else {
            unlink(path)
            return
        }
        while let entry = readdir(folder) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name == "." || name == ".." { continue }
            let inner = "\(path)/\(name)"
            // A link is taken away, never followed.
            if entry.pointee.d_type == UInt8(DT_DIR) {
                remove(inner, depth: depth + 1)
            } else {
                unlink(inner)
            }
        }
        closedir(folder)
        rmdir(path)
    }

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
