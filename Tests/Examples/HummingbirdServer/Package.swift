// swift-tools-version: 6.2
import PackageDescription

// Without the trait "Tool" nothing of aasa but the library is resolved or built, and without its
// own traits nothing of Hummingbird that this server does not need.
let package = Package(
    name: "Server",
    platforms: [.macOS(.v14)],
    dependencies: [
        .package(name: "aasa", path: "../../..", traits: []),
        .package(
            url: "https://github.com/hummingbird-project/hummingbird", exact: "2.28.1", traits: []),
    ],
    targets: [
        .executableTarget(
            name: "Server",
            dependencies: [
                .product(name: "AppSiteAssociation", package: "aasa"),
                .product(name: "Hummingbird", package: "hummingbird"),
            ])
    ])
