/// Every limit of what is read from disk, with its reason. Limits for peers are in `ServerLimits`.
package enum SiteLimits {
    /// The most bytes Apple's CDN and devices read of a document, signed or not; 131,072 itself is
    /// allowed (domain.md section 9, trap 12).
    package static let documentBytesMaximum = 131_072

    /// One fragment or ready-made file on disk. With generous indentation, a document of 131,072
    /// bytes has been seen to grow fourfold; eight times is more than any honest file needs.
    package static let fragmentBytesMaximum = 8 * documentBytesMaximum

    /// `host.json` holds names and a few settings: 1,000 aliases of 60 bytes are 60 KB.
    package static let settingsBytesMaximum = 131_072

    /// One sibling document. It is held in memory once and never copied per connection; the largest
    /// `assetlinks.json` known has some hundred KB.
    package static let siblingBytesMaximum = 1 << 20

    /// Siblings of one host. Each request that is not for the association file searches them in
    /// order: 64 comparisons of a length are below 0.1 µs. ACME puts one file per name there for
    /// the minute of a renewal.
    package static let siblingsMaximum = 64

    /// Files that are read from one folder below `well-known/` before those to serve are chosen. If
    /// there are more, the folder holds something else by mistake, and what is served stays as it
    /// is.
    package static let siblingEntriesMaximum = 256

    /// Fragments of one host. The largest document known lists 665 apps.
    package static let teamsMaximum = 1000

    /// Hosts of one server. At 3 KB of prepared answers and two TLS contexts of ~25 KB each per
    /// worker, 10,000 hosts are about 1 GB; more hosts belong on a second machine.
    package static let hostsMaximum = 10_000

    package static let aliasesMaximum = 1000

    /// PEM files: a chain of ten RSA-4096 certificates is below 30 KB.
    package static let certificateBytesMaximum = 262_144

    /// Levels below `well-known/`: `acme-challenge/TOKEN`, `pki-validation/FILE`.
    package static let siblingDepthMaximum = 2
}
