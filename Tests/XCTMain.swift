import Testing

/// The entry point of the test bundle.
///
/// SwiftPM writes one itself if this file is missing, and asks an index of all sources for classes
/// of XCTest first. The tests have none, and making the index takes a tenth of the build.
@main
struct Runner {
    static func main() async {
        await Testing.__swiftPMEntryPoint() as Never
    }
}
