package import Reactor

/// Stores accounts, orders, keys, challenges and certificates, for one machine or many.
///
/// Only the holder of the lease orders. All changes still use compare-and-swap, so that a holder
/// who lost the lease without noticing (a paused machine) overwrites nothing. Reads are strongly
/// consistent: a challenge is visible to every later read, on every machine.
package protocol CertificateStore: Sendable {
    /// Creates what is missing, and checks that it is writable.
    func prepare() throws(Problem)

    /// The same, as root, for the future user of the server.
    func prepare(for owner: Files.Owner) throws(Problem)

    /// The stored value; nil if there is none.
    func read(_ key: StoreKey) throws(Problem) -> StoredValue?

    /// Replaces a value durably.
    ///
    /// - Parameter revision: the expected current revision; nil if there must be no value.
    /// - Returns: the new revision; nil if another writer was faster, and the value is unchanged.
    func swap(
        _ key: StoreKey, to value: [UInt8], from revision: StoreRevision?
    ) throws(Problem) -> StoreRevision?

    /// The records of all certificates.
    func records() throws(Problem) -> [StoredValue]

    /// Acquires or renews the lease. No other holder gets it for ``LeaseTerms/seconds`` from now.
    ///
    /// - Returns: whether it is ours. `isNew`: others may have changed values since we last had it.
    func lease(now: MonotonicSeconds) throws(Problem) -> LeaseOutcome

    /// Releases the lease, if it is ours.
    func release()

    /// The content of a certificate folder, no matter which tool created it.
    func content(of folder: String) throws(Problem) -> FolderContent

    /// Installs key and chain of a certificate atomically: readers see the old pair or the new one.
    /// Files of others are never replaced.
    ///
    /// - Parameter keepsOther: whether to keep the pair of the other key type; one that is no
    ///   longer renewed would expire there.
    func install(
        _ id: LineageID, chain: [UInt8], key: [UInt8], keepsOther: Bool) throws(Problem)

    // MARK: Several machines

    /// Seconds between checks for challenges and certificates of others. A validator does not wait
    /// for the next: what it asks for and is unknown here is looked up at once
    /// (``PendingValidations``).
    var lookSeconds: Int64 { get }

    /// Copies certificates that others have ordered to where the server loads them.
    ///
    /// - Returns: whether there were any.
    func bring() throws(Problem) -> Bool

    /// What could not be used when values were last read or brought, and kept nothing else from it.
    var unusable: [Problem] { get }

    /// Ends all current and future waits.
    func end()
}

extension CertificateStore {
    /// The contents of these certificates' folders.
    ///
    /// - Parameter covered: folder → the reason for leaving an empty one alone.
    func contents(
        of wanted: [WantedCertificate], covered: [String: String]
    ) throws(Problem) -> [String: FolderContent] {
        var contents: [String: FolderContent] = [:]
        for want in wanted {
            // One that cannot be read must not keep all others from being renewed.
            var content: FolderContent
            do throws(Problem) {
                content = try self.content(of: want.folder)
            } catch {
                content = .foreign(error.description)
            }
            if content == .empty, let why = covered[want.folder] { content = .foreign(why) }
            contents[want.folder] = content
        }
        return contents
    }
}

/// Seconds of a monotonic clock.
package typealias MonotonicSeconds = Double

/// The version of a value. Equal values may have equal revisions.
package typealias StoreRevision = String

/// A value as the store has it, with its revision.
package struct StoredValue: Sendable, Hashable {
    package let bytes: [UInt8]
    package let revision: StoreRevision
    /// For messages.
    package let name: String

    package init(bytes: [UInt8], revision: StoreRevision, name: String) {
        self.bytes = bytes
        self.revision = revision
        self.name = name
    }
}

/// The result of taking the lease.
package enum LeaseOutcome: Sendable, Hashable {
    case ours(isNew: Bool)
    /// Another process holds it; its name.
    case taken(String)
}

/// The times of the lease for ordering.
package enum LeaseTerms {
    /// A holder that is silent for this long is considered gone. Requests take at most 30 seconds,
    /// and the lease is renewed before each.
    package static let seconds: Double = 90
    /// Seconds between renewals of the lease.
    package static let renewal: Double = 20
}
