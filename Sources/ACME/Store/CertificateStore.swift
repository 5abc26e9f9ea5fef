package import Reactor

/// Where accounts, orders, keys, challenges and certificates are kept, by one machine or by many.
///
/// Whoever orders holds the lease; everything is changed by compare-and-swap all the same, so that
/// one who lost the lease without knowing (a paused machine) overwrites nothing. Reads are strongly
/// consistent: a challenge that was swapped in is seen by every later read, on every machine.
package protocol CertificateStore: Sendable {
    /// Makes what is missing, and sees whether it can be written.
    func prepare() throws(Problem)

    /// The same, while this is still root, for the user that the server will be.
    func prepare(for owner: Files.Owner) throws(Problem)

    /// What stands there; nil: nothing.
    func read(_ key: StoreKey) throws(Problem) -> StoredValue?

    /// Replaces what stands there, durably.
    ///
    /// - Parameters:
    ///   - value: nil removes it.
    ///   - revision: what must stand there now; nil: nothing.
    /// - Returns: the new revision; nil where something else stood there, which is left alone.
    func swap(
        _ key: StoreKey, to value: [UInt8]?, from revision: StoreRevision?
    ) throws(Problem) -> SwapOutcome

    /// The keys of all accounts, ledgers and records, as ``read(_:)`` takes them.
    func values(below folder: StoreFolder) throws(Problem) -> [StoredValue]

    /// Takes or renews the lease. Nobody else has it for ``LeaseTerms/seconds`` from here on.
    ///
    /// - Returns: whether it is ours. `isNew`: others may have changed things since we had it last.
    func lease(now: MonotonicSeconds) throws(Problem) -> LeaseOutcome

    /// Gives the lease back, if it is ours.
    func release()

    /// Tells of changes. One per caller.
    func watch() throws(Problem) -> any StoreWatch

    /// What lies in a certificate's folder, whoever put it there.
    func content(of folder: String) throws(Problem) -> FolderContent

    /// Puts key and chain of a certificate there in one step: readers see the old pair or the new
    /// one. What somebody else put there is never replaced.
    ///
    /// - Parameter keepsOther: whether the pair of the other kind of key goes along; one that is
    ///   renewed no more would end there.
    func install(
        _ id: LineageID, chain: [UInt8], key: [UInt8], keepsOther: Bool) throws(Problem)

    // MARK: Several machines

    /// Challenges and certificates of others are looked for so often where the watch says nothing.
    var lookSeconds: Int64 { get }

    /// Puts what others have issued where the server loads it.
    ///
    /// - Returns: whether there was anything.
    func bring() throws(Problem) -> Bool

    /// Ends every wait, now and later.
    func end()
}

extension CertificateStore {
    /// What lies in the folders of these certificates.
    ///
    /// - Parameter covered: folder → why an empty one is left alone.
    func contents(
        of wanted: [WantedCertificate], covered: [String: String]
    ) throws(Problem) -> [String: FolderContent] {
        var contents: [String: FolderContent] = [:]
        for want in wanted {
            var content = try content(of: want.folder)
            if content == .empty, let why = covered[want.folder] { content = .foreign(why) }
            contents[want.folder] = content
        }
        return contents
    }
}

/// Seconds of a clock that only goes forward.
package typealias MonotonicSeconds = Double

/// Which version of a value it is. Equal values may have equal revisions.
package struct StoreRevision: Sendable, Hashable {
    package let text: String
    package init(_ text: String) { self.text = text }
}

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

package enum SwapOutcome: Sendable, Hashable {
    case swapped(StoreRevision?)
    /// Somebody else was first.
    case stale
}

package enum LeaseOutcome: Sendable, Hashable {
    case ours(isNew: Bool)
    /// Another has it: who.
    case taken(String)
}

package enum StoreFolder: String, Sendable { case accounts, certificates, limits }

/// A descriptor that becomes readable when something in the store has changed.
package protocol StoreWatch {
    var descriptor: Int32 { get }
    /// - Returns: whether something changed since the last call.
    mutating func drain() -> Bool
}

package enum LeaseTerms {
    /// A holder that is not heard of for so long is gone. Requests take 30 seconds at most, and the
    /// lease is renewed before each.
    package static let seconds: Double = 90
    /// It is renewed after so long.
    package static let renewal: Double = 20
}
