import AppSiteAssociation
import Foundation
import TestSupport
import Testing

/// The vectors of the shared corpus: what Apple's own tool printed, what Apple's documentation
/// says.
@Suite struct VectorTests {
    struct Vector: CustomTestStringConvertible, Sendable {
        var id: String
        var url: String
        var expected: String
        var standing: String
        var contested: Bool
        var app: String
        var document: [UInt8]
        var domain: String?
        var testDescription: String { id }
    }

    /// Vectors that a stronger source contradicts.
    static let argued: [String: String] = [
        // Apple's prose names `en_UK`; the recorded run of Apple's tool says $(region) is
        // Foundation's isoRegionCodes, which has GB and no UK.
        "apple-doc/subst/uk": "none"
    ]

    static let vectors: [Vector] = load()

    static func load() -> [Vector] {
        guard let folder = Corpus.folder("matching"),
            let data = try? Data(contentsOf: folder.appendingPathComponent("vectors.json")),
            let root = try? JSONSerialization.jsonObject(with: data) as? [String: Any],
            let list = root["vectors"] as? [[String: Any]]
        else { return [] }
        return list.compactMap { entry in
            guard let id = entry["id"] as? String, let url = entry["url"] as? String,
                let expected = entry["expected"] as? String,
                let standing = entry["standing"] as? String
            else { return nil }
            let app = entry["appID"] as? String ?? "ABCDE12345.com.example.app"
            let file =
                entry["file"]
                ?? [
                    "applinks": [
                        "details": [["appIDs": [app], "components": [entry["component"]]]]
                    ]
                ]
            guard let document = try? JSONSerialization.data(withJSONObject: file) else {
                return nil
            }
            let note = entry["note"] as? String ?? ""
            return Vector(
                id: id, url: url, expected: expected, standing: standing,
                contested: entry["contested"] != nil, app: app, document: Array(document),
                domain: note.hasPrefix("domain of the file is example.com") ? "example.com" : nil)
        }
    }

    @Test func allAreThere() {
        // Without the corpus nothing is tested, and `Corpus` says so.
        #expect(Self.vectors.isEmpty || Self.vectors.count == 144)
    }

    @Test(arguments: vectors)
    func answersAsApple(_ vector: Vector) throws {
        let source = SourceText(name: vector.id, bytes: vector.document)
        let association = CompiledAssociation(try AssociationFile(reading: source))
        let answers = association.decide(
            url: vector.url, app: vector.app, domain: vector.domain, explain: true)
        let decision = answers?.first?.decision.rawValue ?? "none"
        if vector.standing == "third-party", vector.contested, decision != vector.expected {
            // Third parties do not bind where a stronger source says otherwise.
            return
        }
        #expect(decision == Self.argued[vector.id] ?? vector.expected)
    }
}
