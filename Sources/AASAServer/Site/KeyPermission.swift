import Glibc

/// Who can read a private key.
package enum KeyPermission {
    /// Whether every user of the machine can: the file lets others read, and each folder above it
    /// lets them through. The group is the operator's own choice (`ssl-cert`). False where it
    /// cannot be told.
    package static func isReadByOthers(_ path: String) -> Bool {
        // Links lead elsewhere, and it is the folders there that count (certbot's `archive`).
        guard let real = realpath(path, nil) else { return false }
        defer { free(real) }
        var place = String(cString: real)
        guard allows(place, S_IROTH) else { return false }
        while let slash = place.lastIndex(of: "/") {
            place = String(place[..<slash])
            if !allows(place.isEmpty ? "/" : place, S_IXOTH) { return false }
        }
        return true
    }

    private static func allows(_ path: String, _ right: mode_t) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & right != 0
    }
}
