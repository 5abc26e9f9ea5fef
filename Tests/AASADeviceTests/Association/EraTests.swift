import AASAClient
import AASADevice
import AppSiteAssociation
import TestSupport
import Testing

@Suite struct EraTests: DeviceSuite {
    @Test func asksWhereEachEraAsks() {
        let good = Self.answer(200, Self.document)
        let urls: [(Era, [String])] = [
            (.ios8, ["https://example.com/apple-app-site-association"]),
            (
                .ios93,
                [
                    "https://example.com/.well-known/apple-app-site-association",
                    "https://example.com/apple-app-site-association",
                ]
            ),
            (.ios13, ["https://example.com/.well-known/apple-app-site-association"]),
            (.ios14, ["https://app-site-association.cdn-apple.com/a/v1/example.com"]),
            (.developer, ["https://example.com/.well-known/apple-app-site-association"]),
        ]
        for (era, expected) in urls {
            let (transcripts, network) = Self.play(
                era, ["webcredentials:example.com"], [Self.answer(404), Self.answer(404), good])
            expectEqual(Array(network.requests.map(\.url).prefix(expected.count)), expected)
            expectEqual(transcripts.count, 1)
            #expect(network.requests.allSatisfy { $0.fields.contains { $0.name == "User-Agent" } })
        }
    }

    /// The limit came with iOS 9.3.1, universal links with iOS 9, App Clips with iOS 14.
    @Test func eachEraHasItsOwnLimits() {
        let large = Self.answer(200, String(repeating: " ", count: 131_073))
        expectEqual(
            Self.play(.ios8, ["webcredentials:example.com"], [large]).0.first?.verdict,
            .denied(.unsigned))
        expectEqual(
            Self.play(.ios93, ["webcredentials:example.com"], [large]).0.first?.verdict,
            .failed(.other("the document has 131073 bytes; devices read 131,072")))
        let services = ["applinks:example.com", "appclips:example.com"]
        let skipped: [(Era, [Bool])] = [
            (.ios8, [true, true]), (.ios93, [false, true]), (.ios13, [false, true]),
            (.ios14, [false, false]),
        ]
        for (era, expected) in skipped {
            let (transcripts, network) = Self.play(
                era, services, [Self.answer(200, Self.document)])
            expectEqual(transcripts.map { $0.verdict.name == "skipped" }, expected, "\(era)")
            for request in network.requests {
                let coding = request.fields.first { $0.name == "Accept-Encoding" }?.value
                expectEqual(coding, "gzip, deflate")
            }
        }
        let (transcripts, network) = Self.play(.ios8, ["webcredentials:example.com"], [large])
        expectEqual(network.requests.first?.fields.contains { $0.name == "Accept-Encoding" }, false)
        expectEqual(transcripts.first?.standing.first?.contains("gzip"), true)
    }
}
