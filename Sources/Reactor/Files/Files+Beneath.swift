import CLinux
import Glibc

extension Files {
    /// Reads a regular file that must lie below one of `roots` after all links are followed.
    ///
    /// realpath(3) finds the target; openat2(2) with `RESOLVE_BENEATH` opens it from the root's
    /// descriptor, so that a link swapped in between cannot escape. Links that stay below a root
    /// work, so Kubernetes' `..data` does.
    ///
    /// Where openat2 is missing (Linux before 5.6) or forbidden (old seccomp filters), the file is
    /// opened first, and `/proc/self/fd` then tells which file it is. Without `/proc` the file is
    /// rejected.
    ///
    /// - Parameter roots: real paths (``resolved(_:)``).
    package static func read(
        _ path: String, limit: Int, beneath roots: [String]
    ) throws(FileError) -> [UInt8] {
        var tries = 0
        while true {
            do throws(FileError) {
                return try read(regular: openBeneath(path, roots), path, limit)
            } catch {
                // Kubernetes removes the old folder after it swaps the link: retry.
                tries += 1
                if tries < 3, error.isMissing, exists(path) { continue }
                throw error
            }
        }
    }

    private static func openBeneath(
        _ path: String, _ roots: [String]
    ) throws(FileError) -> FileDescriptor {
        // What realpath cannot resolve, open(2) cannot open either, and it reports why.
        guard let real = resolved(path) else {
            return try open(path, readingFlags, "reading")
        }
        guard let root = roots.first(where: { isBeneath(real, $0) }) else {
            throw FileError("reading", path, .outside(real))
        }
        let folder = try open(root, O_RDONLY | O_DIRECTORY, "reading")
        let rest = String(real.dropFirst(root == "/" ? 1 : root.count + 1))
        let flags = UInt64(UInt32(bitPattern: readingFlags | O_CLOEXEC))
        let raw: Int32
        do throws(SystemError) {
            raw = try Syscall.call("openat2", .openat2) {
                CLinux_openat2_beneath(folder.raw, rest, flags)
            }
        } catch {
            switch error.number {
            case ENOSYS, EPERM: return try openAndLook(real, path, roots)
            // A link was swapped in between and now leads out.
            case EXDEV: throw FileError("reading", path, .outside(resolved(path) ?? real))
            default: throw FileError("reading", path, error)
            }
        }
        return FileDescriptor(owning: raw)
    }

    /// Opens, then asks the kernel which file it is: no link can be swapped after that.
    private static func openAndLook(
        _ real: String, _ path: String, _ roots: [String]
    ) throws(FileError) -> FileDescriptor {
        let file = try open(real, readingFlags, "reading")
        guard let opened = linkTarget("/proc/self/fd/\(file.raw)") else {
            throw FileError("reading", path, .system(errno))
        }
        guard roots.contains(where: { isBeneath(opened, $0) }) else {
            throw FileError("reading", path, .outside(opened))
        }
        return file
    }

    private static func isBeneath(_ real: String, _ root: String) -> Bool {
        real.utf8.starts(with: (root == "/" ? "/" : root + "/").utf8)
    }
}
