import TestSupport
import Testing

/// Imports of what a test lays out, compared with the document in them.
enum ImportSource {
    static let document = """
        {"applinks": {"apps": [], "details": [
          {"appIDs": ["D3KQX62K1A.com.example.shop", "9JA89QQLNQ.com.example.old"],
           "components": [{"/": "/buy/*"}]}]},
         "webcredentials": {"apps": ["D3KQX62K1A.com.example.shop"]}}
        """

    static func folder(_ files: [String: String]) throws -> TemporaryFolder {
        let folder = try TemporaryFolder("import")
        for (path, text) in files { try folder.write(path, text) }
        return folder
    }

    /// Imports, and expects that the result says the same as the document.
    static func imports(
        _ folder: TemporaryFolder, _ source: String, status: Int32 = 0, as original: String? = nil,
        host: String = "example.com"
    ) throws {
        let target = folder.path("site/\(host)")
        let done = try Tool.aasa(["import", folder.path(source), target])
        expectEqual(done.status, status, "\(done)")
        try folder.write("expected.json", original ?? Self.document)
        let difference = try Tool.aasa(["diff", folder.path("expected.json"), target])
        expectEqual(difference.status, 0, "\(difference)")
    }
}
