/// The limits of what is read of a build, each with its reason and its arithmetic.
///
/// A build comes from a colleague, a CI system or the internet: its numbers are claims.
enum BuildLimits {
    /// Files of a build. The largest apps have some 50,000.
    static let filesMaximum = 200_000
    /// The directory of an archive: 200,000 files with 46 bytes, a name and extra fields of 200
    /// bytes on average have 47 MiB. It is the only part of an archive that is held whole.
    static let directoryBytesMaximum = 64 << 20
    /// Folders in each other. The watch app's extension in an archive has eight above it.
    static let depthMaximum = 24
    /// Apps, extensions, App Clips and watch apps in one build. Large apps have some twenty.
    static let bundlesMaximum = 128
    /// An `Info.plist`, a profile, a list of entitlements: see `PropertyListReader.bytesMaximum`.
    /// A profile has its property list, a certificate of 1.5 KB per developer and a signature.
    static let documentBytesMaximum = 2 << 20
    /// An executable. Apple accepts 500 MB of code per app; with all its data it is twice that.
    static let executableBytesMaximum = 1 << 30
    /// What is inflated of one build in all: the largest executable, and those of twenty extensions
    /// of 50 MB. At some 40 MB a second it takes 50 seconds, and never more memory than a window.
    static let inflatedBytesMaximum = 2 << 30
    /// The part of a file that is read at once.
    static let pieceBytes = 64 << 10
    /// Architectures in one executable. Apple's tools make 2 to 5.
    static let slicesMaximum = 16
    /// The load commands of an executable: one of some 100 bytes per linked library and segment.
    /// 16,384 libraries of 128 bytes have 2 MiB.
    static let loadCommandBytesMaximum = 2 << 20
    /// Blobs of a signature. codesign writes 4 to 8.
    static let blobsMaximum = 64
    /// The code directory: a digest of 32 bytes for each 4 KiB of 1 GiB of code is 8 MiB.
    static let codeDirectoryBytesMaximum = 9 << 20
    /// The entitlements of a signature, and the signature over its code directory. Those of the
    /// largest apps have some kilobytes.
    static let entitlementBytesMaximum = 1 << 20
    /// An identifier or a team in a signature: a bundle identifier has 155 bytes at most.
    static let nameBytesMaximum = 1024
}
