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

func mechanism(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
    .target(
        name: name, dependencies: dependencies, path: "Sources/Product/\(name)",
        swiftSettings: fuzzed)
}

let package = Package(
    name: "Fuzz",
    targets: [
        .target(
            name: "COpenSSL", path: "Sources/Product/COpenSSL",
            linkerSettings: [.linkedLibrary("ssl"), .linkedLibrary("crypto")]),
        .target(
            name: "CNGHTTP2", path: "Sources/Product/CNGHTTP2",
            linkerSettings: [.linkedLibrary("nghttp2")]),
        mechanism("OpenSSL", ["COpenSSL"]),
        mechanism("HTTP", ["CNGHTTP2"]),
        mechanism("AppSiteAssociation"),

        .target(name: "FuzzDriver", swiftSettings: fuzzed),

        // One line per fuzzer, sorted; its input is one file of Corpus/NAME.
        fuzzer("FuzzCMS", ["OpenSSL"]),
        fuzzer("FuzzEntitlements", ["AppSiteAssociation"]),
        fuzzer("FuzzHTTP1", ["HTTP"]),
        fuzzer("FuzzHTTP2", ["HTTP"]),
        fuzzer("FuzzJSON", ["AppSiteAssociation"]),
        fuzzer("FuzzPattern", ["AppSiteAssociation"]),
        fuzzer("FuzzTLS", ["OpenSSL"]),
    ]
)
