// swift-tools-version: 6.2
import PackageDescription

// Without the trait "Tool" nothing but the library is resolved or built.
let package = Package(
    name: "Linter",
    dependencies: [.package(name: "aasa", path: "../../..", traits: ["FoundationURL"])],
    targets: [
        .executableTarget(
            name: "Linter",
            dependencies: [.product(name: "AppSiteAssociation", package: "aasa")])
    ])
