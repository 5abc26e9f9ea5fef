// swift-tools-version: 6.2
import PackageDescription

// What a TLS session costs the server, in memory: TLSSession beside the same work written in plain
// C against OpenSSL. See `./run`.

let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
]

let package = Package(
    name: "TLSBench",
    targets: [
        .target(
            name: "COpenSSL", path: "Sources/Product/COpenSSL",
            linkerSettings: [.linkedLibrary("ssl"), .linkedLibrary("crypto")]),
        .target(
            name: "OpenSSL", dependencies: ["COpenSSL"], path: "Sources/Product/OpenSSL",
            swiftSettings: settings),
        .target(name: "CLinux", path: "Sources/Product/CLinux"),
        .target(
            name: "Reactor", dependencies: ["CLinux"], path: "Sources/Product/Reactor",
            swiftSettings: settings),
        .target(name: "PlainTLS", cSettings: [.unsafeFlags(["-O2"])]),
        .executableTarget(
            name: "TLSBench", dependencies: ["OpenSSL", "PlainTLS", "Reactor"],
            swiftSettings: settings),
    ]
)
