import AASADevice
import AppSiteAssociation
import Reactor
import TestSupport

/// A build in memory, for tests that read thousands of damaged ones.
final class MemoryBytes: ByteSource {
    let name = "App.ipa"
    private let bytes: [UInt8]
    var size: Int { bytes.count }

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    func read(at offset: Int, count: Int) throws(Problem) -> [UInt8] {
        guard offset >= 0, count >= 0, offset <= bytes.count, count <= bytes.count - offset else {
            throw Problem(place: name, cause: "cut short", remedy: "copy it again")
        }
        return Array(bytes[offset..<offset + count])
    }
}

extension MadeBuild {
    /// The build as the product reads it.
    func read() throws -> AppBuild { try AppBuild(archive: MemoryBytes(try archive().bytes)) }

    /// The codes of what is wrong in it, at a moment of 2026.
    func codes(source: ListValue? = nil) throws -> [String] {
        let file = try source.map {
            try EntitlementFile(reading: SourceText(name: "Shop.entitlements", bytes: $0.xml))
        }
        return BuildRules.findings(of: try read(), source: file, now: 1_790_000_000).map(\.code)
    }
}
