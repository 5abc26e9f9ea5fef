// swift-tools-version: 6.2
import PackageDescription

// The house: arrows only run downward (see Sources/README.md, the architecture page).
// The four mechanisms (Reactor, OpenSSL, HTTP, AppSiteAssociation) are strangers to each other;
// each C module has exactly one importer.

let strict: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    // System calls that fail to order, and a simulated kernel (Reactor's FaultInjection and
    // SimulatedKernel): never in what ships.
    .define("FAULT_INJECTION", .when(configuration: .debug)),
]

// What runs longer than it compiles, also in a debug build. No package that takes the library needs
// one of these targets, so the flags keep no package from depending on it.
let optimized = strict + [.unsafeFlags(["-O"])]

// Only the address sanitizer's stage builds tests in a release, to see optimized code under test.
let unoptimized = strict + [.unsafeFlags(["-Onone"], .when(configuration: .release))]

// Who takes the library alone says `traits: []`, and resolves none of these.
let tool = TargetDependencyCondition.when(traits: ["Tool"])
let logging = Target.Dependency.product(name: "Logging", package: "swift-log", condition: tool)
let arguments = Target.Dependency.product(
    name: "ArgumentParser", package: "swift-argument-parser", condition: tool)
let histogram = Target.Dependency.product(
    name: "Histogram", package: "hdrhistogram-swift", condition: tool)

func tests(
    _ name: String, _ dependencies: [Target.Dependency], exclude: [String] = [],
    settings: [SwiftSetting] = unoptimized
) -> Target {
    .testTarget(
        name: name,
        dependencies: dependencies + ["TestSupport"],
        path: "Tests/\(name)",
        exclude: exclude,
        swiftSettings: settings)
}

// Packages tell which commit they are built from (deploy/package); a plain build leaves it out, so
// that a commit does not compile anything anew.
let commit: [CSetting] =
    Context.environment["AASA_COMMIT"].map { [.define("AASA_COMMIT", to: "\"\($0)\"")] } ?? []

let package = Package(
    name: "aasa",
    products: [
        .executable(name: "aasa", targets: ["aasa"]),
        .library(name: "AppSiteAssociation", targets: ["AppSiteAssociation"]),
    ],
    traits: [
        .default(enabledTraits: ["Tool"]),
        .trait(name: "Tool", description: "The command line tool and the server."),
        .trait(
            name: "FoundationURL",
            description: "The library takes Foundation's URL as well as text."),
    ],
    // Exact, as no Package.resolved is kept: a build of next year is the build of today.
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
        .package(url: "https://github.com/apple/swift-log", exact: "1.16.2"),
        .package(url: "https://github.com/HdrHistogram/hdrhistogram-swift", exact: "0.2.0"),
    ],
    targets: [
        .target(name: "CBuild", cSettings: commit),
        .target(name: "CLinux"),
        .target(
            name: "COpenSSL", linkerSettings: [.linkedLibrary("ssl"), .linkedLibrary("crypto")]),
        .target(name: "CNGHTTP2", linkerSettings: [.linkedLibrary("nghttp2")]),

        .target(name: "Reactor", dependencies: ["CLinux"], swiftSettings: strict),
        .target(name: "OpenSSL", dependencies: ["COpenSSL"], swiftSettings: strict),
        .target(name: "HTTP", dependencies: ["CNGHTTP2"], swiftSettings: strict),
        .target(name: "CTexts"),
        .target(name: "Texts", dependencies: ["CTexts"], swiftSettings: strict),
        .target(
            name: "AppSiteAssociation", dependencies: ["Texts"],
            exclude: [
                "Entitlement/property-list-faults.json", "JSON/file-kinds.json",
                "JSON/json-faults.json", "Linter/Catalog", "Model/app-id-problems.json",
                "Pattern/language-codes.txt", "Pattern/region-codes.txt",
                "Schema/findings.schema.json", "Schema/formats.json",
            ],
            swiftSettings: strict),

        .target(
            name: "AASAServer",
            dependencies: ["AppSiteAssociation", "HTTP", "OpenSSL", "Reactor", "Texts", logging],
            exclude: [
                "Admin/Page", "Admin/metrics.txt", "Site/host.schema.json", "Site/well-known.json",
            ],
            swiftSettings: strict),
        .target(
            name: "AASAClient", dependencies: ["HTTP", "OpenSSL", "Reactor"],
            swiftSettings: strict),
        .target(
            name: "ACME",
            dependencies: ["AASAClient", "AppSiteAssociation", "OpenSSL", "Reactor", logging],
            swiftSettings: strict),
        .target(
            name: "AASAFleet",
            dependencies: ["AASAClient", "ACME", "AppSiteAssociation", "OpenSSL", "Reactor"],
            swiftSettings: strict),
        .target(
            name: "AASADevice",
            dependencies: [
                "AASAClient", "AppSiteAssociation", "HTTP", "OpenSSL", "Reactor", "Texts",
            ],
            exclude: [
                "Association/hellos.txt", "Builds/Catalog", "Builds/build-report.schema.json",
                "Check/Catalog", "Check/Evaluation/page-signs.txt",
                "Credentials/scenario-words.txt",
            ],
            swiftSettings: strict),
        .target(
            name: "AASAStorm",
            dependencies: [
                "AASAClient", "AASADevice", "AppSiteAssociation", "HTTP", "OpenSSL", "Reactor",
                "Texts", histogram,
            ],
            exclude: ["Report/report.css"],
            swiftSettings: strict),
        .executableTarget(
            name: "aasa",
            dependencies: [
                "AASAClient", "AASAServer", "AASADevice", "AASAFleet", "AASAStorm", "ACME",
                "AppSiteAssociation", "CBuild", "HTTP", "OpenSSL", "Reactor", "Texts", arguments,
                logging,
            ],
            exclude: ["Files/Sample", "Lint/Catalog"],
            swiftSettings: strict),

        // The worker on a simulated clock and kernel (Tests/Simulation/README.md).
        .target(
            name: "WorkerSimulation",
            dependencies: ["AASAServer", "HTTP", "OpenSSL", "Reactor", "SimulatedTime"],
            path: "Tests/Simulation/Model",
            swiftSettings: optimized),
        .executableTarget(
            name: "simulate", dependencies: ["Reactor", "WorkerSimulation"],
            path: "Tests/Simulation/Tool",
            swiftSettings: strict),

        // The server with limits under measurement (Tests/Experiments).
        .executableTarget(
            name: "experiment-server", dependencies: ["AASAServer", "Reactor", logging],
            path: "Tests/Experiments/Server", swiftSettings: strict),

        .target(
            name: "TestSupport", dependencies: ["OpenSSL", "Reactor"],
            path: "Tests/TestSupport",
            swiftSettings: strict),
        .target(
            name: "SimulatedTime", path: "Tests/Simulation/Time", swiftSettings: optimized),
        .target(
            name: "FleetSimulation",
            dependencies: ["AASAClient", "AASAFleet", "Reactor", "SimulatedTime"],
            path: "Tests/Simulation/Fleet", exclude: ["README.md"],
            swiftSettings: optimized),
        .executableTarget(
            name: "simulate-fleet", dependencies: ["FleetSimulation", "Reactor"],
            path: "Tests/Simulation/FleetTool",
            swiftSettings: strict),
        tests("ReactorTests", ["Reactor"]),
        tests("TextsTests", ["Texts"]),
        tests("OpenSSLTests", ["OpenSSL"]),
        tests("HTTPTests", ["HTTP"]),
        tests(
            "AppSiteAssociationTests", ["AppSiteAssociation"],
            exclude: ["Linter/CorpusGolden", "Linter/Golden"]),
        tests(
            "AASAServerTests",
            ["AASAServer", "AASAStorm", "AppSiteAssociation", "HTTP", "OpenSSL", "Reactor"]),
        tests("AASAClientTests", ["AASAClient", "OpenSSL", "Reactor"]),
        tests(
            "AASADeviceTests",
            ["AASAClient", "AASADevice", "AppSiteAssociation", "HTTP", "OpenSSL", "Reactor"]),
        tests("ACMETests", ["ACME", "AASAClient", "AppSiteAssociation", "OpenSSL", "Reactor"]),
        tests(
            "AASAFleetTests",
            [
                "AASAClient", "AASAFleet", "ACME", "AppSiteAssociation", "FleetSimulation",
                "OpenSSL", "Reactor",
            ]),
        tests("AASAStormTests", ["AASAStorm", "AASADevice", "HTTP", "OpenSSL", "Reactor"]),
        tests(
            "EndToEndTests",
            [
                "AASAFleet", "AASAServer", "ACME", "AppSiteAssociation", "HTTP", "OpenSSL",
                "Reactor",
                "aasa",
            ],
            exclude: ["Serving/Fixtures", "Upgrade/Fixtures"]),
        tests("SimulationTests", ["WorkerSimulation"]),
        // The rules read every line of the repository.
        tests("TidyTests", [], settings: optimized),
    ]
)

// Tests/Mutation builds only the tests of what it changes.
if let chosen = Context.environment["AASA_TEST_TARGETS"]?.split(separator: " ").map(String.init) {
    package.targets.removeAll { $0.type == .test && !chosen.contains($0.name) }
}
