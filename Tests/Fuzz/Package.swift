// swift-tools-version: 6.2
import PackageDescription

// The fuzzers: a package of its own, because libFuzzer brings its own `main` and instruments
// everything it is built with. The sources are the product's (symbolic links). See `./run --help`.

let fuzzed: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .unsafeFlags(["-sanitize=fuzzer,address"]),
]

func fuzzer(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .executableTarget(
        name: name, dependencies: dependencies + ["FuzzDriver"], path: "Sources/\(name)",
        swiftSettings: fuzzed,
        linkerSettings: [.unsafeFlags(["-sanitize=fuzzer,address", "-use-ld=lld"])])
}

/// - Parameter isTestable: what a fuzzer shares with the unit tests looks inside.
func product(
    _ name: String, _ dependencies: [Target.Dependency] = [], isTestable: Bool = false,
    exclude: [String] = []
) -> Target {
    .target(
        name: name, dependencies: dependencies, path: "Sources/Product/\(name)",
        exclude: exclude,
        swiftSettings: fuzzed + (isTestable ? [.unsafeFlags(["-enable-testing"])] : []))
}

let package = Package(
    name: "Fuzz",
    dependencies: [.package(url: "https://github.com/apple/swift-log", exact: "1.16.2")],
    targets: [
        .target(
            name: "COpenSSL", path: "Sources/Product/COpenSSL",
            linkerSettings: [.linkedLibrary("ssl"), .linkedLibrary("crypto")]),
        .target(
            name: "CNGHTTP2", path: "Sources/Product/CNGHTTP2",
            linkerSettings: [.linkedLibrary("nghttp2")]),
        .target(name: "CLinux", path: "Sources/Product/CLinux"),
        product("OpenSSL", ["COpenSSL"]),
        product("HTTP", ["CNGHTTP2"]),
        product("Reactor", ["CLinux"]),
        .target(name: "CTexts", path: "Sources/Product/CTexts"),
        product("Texts", ["CTexts"]),
        product(
            "AppSiteAssociation", ["Texts"],
            exclude: [
                "Entitlement/property-list-faults.json", "JSON/file-kinds.json",
                "JSON/json-faults.json", "Linter/Catalog", "Model/app-id-problems.json",
                "Pattern/language-codes.txt", "Pattern/region-codes.txt",
                "Schema/findings.schema.json", "Schema/formats.json",
            ]),
        product(
            "AASAServer",
            [
                "AppSiteAssociation", "HTTP", "OpenSSL", "Reactor", "Texts",
                .product(name: "Logging", package: "swift-log"),
            ], isTestable: true,
            exclude: [
                "Admin/Page", "Admin/metrics.txt", "Site/host.schema.json", "Site/well-known.json",
            ]),

        product("AASAClient", ["HTTP", "OpenSSL", "Reactor"]),
        product(
            "AASADevice",
            ["AASAClient", "AppSiteAssociation", "HTTP", "OpenSSL", "Reactor", "Texts"],
            isTestable: true,
            exclude: [
                "Association/hellos.txt", "Builds/Catalog", "Builds/build-report.schema.json",
                "Check/Catalog", "Check/Evaluation/page-signs.txt",
                "Credentials/scenario-words.txt",
            ]),

        .target(name: "FuzzDriver", swiftSettings: fuzzed),

        // One line per fuzzer, sorted; its input is one file of Corpus/NAME.
        fuzzer("FuzzBuild", ["AASADevice", "Reactor"]),
        fuzzer("FuzzCMS", ["OpenSSL"]),
        fuzzer("FuzzConnection", ["AASAServer", "HTTP", "OpenSSL", "Reactor"]),
        fuzzer("FuzzEntitlements", ["AppSiteAssociation"]),
        fuzzer("FuzzHTTP1", ["HTTP"]),
        fuzzer("FuzzHTTP2", ["HTTP"]),
        fuzzer("FuzzJSON", ["AppSiteAssociation"]),
        fuzzer("FuzzPattern", ["AppSiteAssociation"]),
        fuzzer("FuzzProxy", ["AASAServer"]),
        fuzzer("FuzzTLS", ["OpenSSL"]),
    ]
)
