import AASADevice
import AppSiteAssociation
import Reactor
import TestSupport

extension ByteSource {
    /// A build in memory, for tests that read thousands of damaged ones.
    init(_ bytes: [UInt8]) {
        self.init(name: "App.ipa", size: bytes.count) { Array(bytes[$0..<$0 + $1]) }
    }
}

extension MadeBuild {
    /// The build as the product reads it.
    func read() throws -> AppBuild { try AppBuild(archive: ByteSource(try archive().bytes)) }

    /// The codes of what is wrong in it, at a moment of 2026.
    func codes(source: ListValue? = nil) throws -> [String] {
        let file = try source.map {
            try EntitlementFile(reading: SourceText(name: "Shop.entitlements", bytes: $0.xml))
        }
        return BuildRules.findings(of: try read(), source: file, now: 1_790_000_000).map(\.code)
    }
}
