import CBuild
import HTTP
import OpenSSL

/// What `aasa --version` prints, and what packages, reports and the status page show.
enum Version {
    /// The release, by Semantic Versioning. Packages read it from this line.
    static let number = "1.1.0"

    /// The commit this binary was built from; `nil` when the build was not told (a plain
    /// `swift build`).
    static var commit: String? {
        let text = String(cString: CBuild_commit())
        return text.isEmpty ? nil : text
    }

    /// One line: release, commit, and the libraries that are loaded now. They are the system's and
    /// get its security updates, so they may be newer than those of the build.
    static var line: String {
        let origin = commit.map { "commit \($0), " } ?? ""
        return "aasa \(number) (\(origin)\(TLSLibrary.version), nghttp2 \(HTTP2Library.version))"
    }
}
