package import Reactor

/// The file that holds the token of the admin listener: one line of visible ASCII.
///
/// The file is read again for each request that needs the token (a few per minute), so that a
/// renewed secret is used at once. While the file cannot be used, the last good token stays valid.
package struct AdminTokenFile: Sendable {
    /// 128 bits in base64 have 22 characters; a token shorter than 16 can be guessed.
    package static let tokenBytesMinimum = 16
    /// A token is one line; a larger file is the wrong file.
    package static let fileBytesMaximum = 4096

    private let path: String
    private var last: [UInt8]

    /// - Parameter path: what `--admin-token-file` names.
    /// - Throws: `Problem` where the file cannot be read or holds no token.
    package init(path: String) throws(Problem) {
        self.path = path
        do throws(Problem) {
            last = try Self.read(path)
        } catch {
            throw Problem(
                place: "--admin-token-file \(error.place)", cause: error.cause,
                remedy: error.remedy)
        }
    }

    package mutating func current() -> [UInt8] {
        if let token = try? Self.read(path) { last = token }
        return last
    }

    /// Why the file cannot be used at this moment, while a server runs; nil: it can.
    static func problem(at path: String) -> Problem? {
        do throws(Problem) {
            _ = try AdminTokenFile(path: path)
            return nil
        } catch {
            return Problem(.tokenKept, at: error.place, error.cause, error.remedy)
        }
    }

    private static func read(_ path: String) throws(Problem) -> [UInt8] {
        var bytes = try FileReading.bytes(at: path, maximum: fileBytesMaximum)
        while let end = bytes.last, end == 0x0A || end == 0x0D || end == 0x20 { bytes.removeLast() }
        guard bytes.count >= tokenBytesMinimum, bytes.allSatisfy({ (0x21...0x7E).contains($0) })
        else {
            throw Problem(.noToken, at: path, "\(tokenBytesMinimum)", path, path)
        }
        return bytes
    }
}
