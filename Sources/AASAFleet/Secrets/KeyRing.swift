import AppSiteAssociation
import OpenSSL
import Reactor

/// The encryption keys of certificates: the first one encrypts, all of them decrypt, so that a new
/// key can be distributed to every machine before its first use.
///
/// The file has one key per line, 64 hexadecimal digits; lines that begin with `#` are comments.
package struct KeyRing: Sendable {
    /// Two are needed during a key rotation; more indicate a neglected file.
    package static let keysMaximum = 4
    private static let fileBytesMaximum = 4096

    private let keys: [[UInt8]]

    init(keys: [[UInt8]]) { self.keys = keys }

    /// Loads a key file.
    package init(reading path: String) throws(FleetError) {
        let bytes: [UInt8]
        do throws(FileError) {
            bytes = try Files.read(path, limit: Self.fileBytesMaximum)
        } catch {
            throw FleetError(
                place: path, cause: error.cause, remedy: "create one with aasa fleet key \(path)")
        }
        if let status = Files.status(path), status.mode & 0o007 != 0 {
            throw FleetError(
                place: path, cause: "every user of this machine can read this key",
                remedy: "chmod 600 \(path)")
        }
        keys = try Self.parse(String(decoding: bytes, as: UTF8.self), path: path)
    }

    static func parse(_ text: String, path: String) throws(FleetError) -> [[UInt8]] {
        var keys: [[UInt8]] = []
        for (index, line) in text.split(
            omittingEmptySubsequences: false, whereSeparator: \.isNewline
        ).enumerated() {
            let word = line.filter { !$0.isWhitespace }
            if word.isEmpty || word.first == "#" { continue }
            guard let key = bytes(hexadecimal: word), key.count == AuthenticatedCipher.keyBytes
            else {
                throw FleetError(
                    place: "\(path):\(index + 1)", cause: "this is not a key",
                    remedy: "use a key of 64 hexadecimal digits: aasa fleet key FILE creates one")
            }
            keys.append(key)
        }
        guard (1...keysMaximum).contains(keys.count) else {
            throw FleetError(
                place: path, cause: "it has \(keys.count) keys",
                remedy: "keep one key, or two while one replaces the other")
        }
        return keys
    }

    private static func bytes(hexadecimal text: String) -> [UInt8]? {
        let digits = text.utf8.compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
        guard digits.count == text.utf8.count, digits.count % 2 == 0 else { return nil }
        return stride(from: 0, to: digits.count, by: 2).map {
            UInt8(digits[$0] << 4 | digits[$0 + 1])
        }
    }

    /// The text of a key file with a new key before the existing ones.
    package static func text(adding existing: KeyRing? = nil) throws(FleetError) -> [UInt8] {
        let keys = [randomBytes(AuthenticatedCipher.keyBytes)] + (existing?.keys ?? [])
        guard keys.count <= keysMaximum else {
            throw FleetError(
                place: "key", cause: "it already has \(keys.count - 1) keys",
                remedy: "remove the keys that no encrypted file needs any more")
        }
        let head = "# aasa fleet key: the first line encrypts, every line decrypts.\n"
        return Array((head + keys.map { hexadecimal($0) + "\n" }.joined()).utf8)
    }

    // MARK: Files

    /// The prefix of encrypted files.
    private static let mark = Array("aasa-sealed-1\n".utf8)

    /// Encrypts a file.
    ///
    /// - Parameter name: fleet and path: the bytes can be decrypted only under this name.
    package func seal(_ plaintext: [UInt8], name: String) throws(FleetError) -> [UInt8] {
        do throws(OpenSSLError) {
            return Self.mark
                + (try AuthenticatedCipher.seal(
                    plaintext, key: keys[0], associated: Array(name.utf8)))
        } catch {
            throw FleetError(place: name, cause: error.cause, remedy: "reinstall OpenSSL")
        }
    }

    /// - Throws: ``FleetError`` if no key decrypts it.
    package func open(_ sealed: [UInt8], name: String) throws(FleetError) -> [UInt8] {
        guard sealed.starts(with: Self.mark) else {
            throw .damaged(name, "it is not encrypted, and certificates must be")
        }
        let rest = Array(sealed.dropFirst(Self.mark.count))
        for key in keys {
            if let opened = AuthenticatedCipher.open(
                rest, key: key, associated: Array(name.utf8))
            {
                return opened
            }
        }
        throw FleetError(
            place: name, cause: "no key on this machine decrypts it",
            remedy: "copy the publisher's key file to this machine (--fleet-key), or publish again")
    }

    /// Whether something may be encrypted with an older key.
    package var hasOlder: Bool { keys.count > 1 }

    /// Whether it is encrypted with the current key.
    package func isCurrent(_ sealed: [UInt8], name: String) -> Bool {
        (try? KeyRing(keys: [keys[0]]).open(sealed, name: name)) != nil
    }
}
