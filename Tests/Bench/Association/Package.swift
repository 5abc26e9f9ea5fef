// swift-tools-version: 6.2
import PackageDescription

// swift run -c release --package-path Tests/Bench/Association
let package = Package(
    name: "AssociationBench",
    dependencies: [.package(name: "aasa", path: "../../..")],
    targets: [
        .target(name: "CountedMalloc"),
        .executableTarget(
            name: "AssociationBench",
            dependencies: [
                .product(name: "AppSiteAssociation", package: "aasa"), "CountedMalloc",
            ]),
    ]
)
