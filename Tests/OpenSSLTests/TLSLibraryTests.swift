import COpenSSL
import TestSupport
import Testing

@testable import OpenSSL

@Suite struct TLSLibraryTests {
    @Test func `The version is that of the library that is loaded`() {
        #expect(TLSLibrary.version.hasPrefix("OpenSSL \(OPENSSL_version_major())."))
    }

    @Test(arguments: [TLSLibrary.Purpose.everything, .serving, .loadTests])
    func `Each kind is of use`(purpose: TLSLibrary.Purpose) throws {
        let library = try TLSLibrary(for: purpose)
        var bytes = [UInt8](repeating: 0, count: 64)
        expectEqual(RAND_bytes_ex(library.handle, &bytes, bytes.count, 0), 1)
        #expect(Set(bytes).count > 16)
        let digest = EVP_MD_fetch(library.handle, "SHA2-256", nil)
        #expect(digest != nil)
        EVP_MD_free(digest)
        expectEqual((library.serving != nil), (purpose == .serving))
        let hasOwn = OSSL_PROVIDER_available(library.handle, "default") == 1
        expectEqual(hasOwn, (purpose == .everything))
    }

    /// Process-wide: what others give back meanwhile would be taken as well.
    @Test func `What was used serves the next of its kind, and never two at once`() async {
        await #expect(processExitsWith: .success) {
            func number(_ library: TLSLibrary) -> UInt { UInt(bitPattern: library.handle) }
            func use(_ purpose: TLSLibrary.Purpose) throws -> UInt {
                number(try TLSLibrary(for: purpose))
            }
            let plain = try use(.everything)
            let serving = try use(.serving)
            #expect(plain != serving)
            let again = try TLSLibrary(for: .serving)
            expectEqual(number(again), serving)
            #expect(again.serving != nil)
            let second = try TLSLibrary(for: .serving)
            #expect(number(second) != serving)
            let other = try use(.everything)
            expectEqual(other, plain)
            // One storm after the other in a process: its contexts are not left behind.
            let load = try use(.loadTests)
            #expect(load != plain && load != number(second))
            try expectEqual(use(.loadTests), load)
            withExtendedLifetime((again, second)) {}
        }
    }
}
