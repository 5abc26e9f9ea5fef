import Reactor

/// Who can read a private key.
package enum KeyPermission {
    /// Whether every user of the machine can: the file lets others read, and each folder above it
    /// lets them enter. The group is the operator's own choice (`ssl-cert`). False if it cannot be
    /// determined.
    package static func isReadByOthers(_ path: String) -> Bool {
        // The folders of the link's target count (certbot's `archive`).
        guard var place = Files.resolved(path), allows(place, othersRead) else { return false }
        while let slash = place.lastIndex(of: "/") {
            place = String(place[..<slash])
            if !allows(place.isEmpty ? "/" : place, othersEnter) { return false }
        }
        return true
    }

    /// `o+r` and `o+x`, as chmod(1) has them.
    private static let othersRead: UInt32 = 0o004
    private static let othersEnter: UInt32 = 0o001

    private static func allows(_ path: String, _ right: UInt32) -> Bool {
        Files.status(path).map { $0.mode & right != 0 } ?? false
    }
}
