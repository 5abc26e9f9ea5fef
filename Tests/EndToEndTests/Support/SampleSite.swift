import Foundation
import TestSupport

/// A site of two hosts, one of three teams, and certificates for both, in a folder of its own.
final class SampleSite: Sendable {
    static let teams = ["7QX9T2M4LB", "D3KQX62K1A", "9JA89QQLNQ"]
    let folder: TemporaryFolder

    var site: String { folder.path("site") }
    var certs: String { folder.path("certs") }

    /// Certificates cost more than the tests: made once, copied into each site.
    private static let certificates: Result<TemporaryFolder, any Error> = Result {
        let folder = try TemporaryFolder("certs")
        let made = try Tool.aasa([
            "certs", "make", "--certs", folder.path("certs"), "example.com", "other.example",
        ])
        guard made.status == 0 else { throw Tool.Failure(description: "\(made)") }
        return folder
    }

    init(documentBytes: Int? = nil) throws {
        folder = try TemporaryFolder("site")
        let certificates = try Self.certificates.get()
        try FileManager.default.copyItem(atPath: certificates.path("certs"), toPath: certs)
        if let documentBytes {
            try write("example.com/apple-app-site-association", Self.document(documentBytes))
        } else {
            for team in Self.teams {
                try write("example.com/teams/\(team).json", Self.fragment(team))
            }
        }
        try write(
            "other.example/apple-app-site-association",
            #"{"webcredentials":{"apps":["D3KQX62K1A.com.example.other"]}}"#)
        try write("example.com/well-known/assetlinks.json", "[]\n")
    }

    @discardableResult
    func write(_ name: String, _ text: String) throws -> String {
        try folder.write("site/\(name)", text)
    }

    static func fragment(_ team: String, path: String = "/*") -> String {
        """
        {
          "webcredentials": { "apps": ["\(team).com.example.app"] },
          "applinks": {
            "details": [
              { "appIDs": ["\(team).com.example.app"], "components": [{ "/": "\(path)" }] }
            ]
          }
        }
        """
    }

    /// A valid document of exactly so many bytes.
    static func document(_ bytes: Int) -> String {
        let frame = #"{"webcredentials":{"apps":["D3KQX62K1A.com.example.app"]},"x":""}"#
        let fill = String(repeating: "f", count: bytes - frame.utf8.count)
        return String(frame.dropLast(2)) + fill + "\"}"
    }
}
