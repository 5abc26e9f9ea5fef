/// The keys of a fleet in etcd:
///
/// ```
/// /aasa/NAME/head                     the last revision, and the last change of any channel
/// /aasa/NAME/channels/stable          which revision a channel serves: the key that is watched
/// /aasa/NAME/revisions/0000000041     who, when, why, and the parts of its list of files
/// /aasa/NAME/blobs/SHA256             a file, or a part of a list, by the hash of its bytes
/// /aasa/NAME/machines/MACHINE         what a machine serves; leased
/// ```
package struct FleetKeys: Sendable, Equatable {
    package let fleet: String

    /// - Parameter fleet: checked by ``isName(_:)``.
    package init(fleet: String) { self.fleet = fleet }

    package var root: String { "/aasa/\(fleet)/" }
    package var head: String { root + "head" }
    package var channels: String { root + "channels/" }
    package var revisions: String { root + "revisions/" }
    package var blobs: String { root + "blobs/" }
    package var machines: String { root + "machines/" }

    package func channel(_ name: String) -> String { channels + name }
    package func blob(_ hash: String) -> String { blobs + hash }
    package func machine(_ name: String) -> String { machines + name }

    /// Ten digits, so that keys sort like numbers.
    package func revision(_ number: Int64) -> String {
        let digits = "\(number)"
        return revisions + String(repeating: "0", count: max(0, 10 - digits.count)) + digits
    }

    /// The number in the key of a revision.
    func revision(of key: String) -> Int64 { Int64(key.dropFirst(revisions.count)) ?? 0 }

    /// Names of fleets, channels and machines: letters, digits, `.`, `-` and `_`, at most 128, so
    /// that they can be used in keys, folders and labels.
    package static func isName(_ text: String) -> Bool {
        guard !text.isEmpty, text.utf8.count <= 128, text != ".", text != ".." else { return false }
        return text.allSatisfy {
            $0.isASCII && ($0.isLetter || $0.isNumber || ".-_".contains($0))
        }
    }
}
