import Foundation

/// The lists of a ClientHello that tests compare (RFC 8446 section 4.1.2), in their order and
/// without GREASE (RFC 8701).
package struct ClientHello: Equatable, CustomStringConvertible {
    /// The newest first; that of TLS 1.2 shows only the newest.
    package private(set) var versions: [UInt16]
    package private(set) var suites: [UInt16]
    package private(set) var groups: [UInt16] = []
    package private(set) var signatureAlgorithms: [UInt16] = []
    /// The groups of the key shares.
    package private(set) var shares: [UInt16] = []
    package private(set) var protocols: [String] = []
    /// Bytes of the message.
    package let count: Int

    /// Nil if the TLS records do not begin with a whole ClientHello.
    package init?(_ records: [UInt8]) {
        var message: [UInt8] = []
        var rest = Reader(records[...])
        while rest.number(1) == 22, rest.number(2) != nil, let part = rest.vector(2) {
            message += part
        }
        var hello = Reader(message[...])
        guard hello.number(1) == 1, let body = hello.vector(3) else { return nil }
        count = body.count + 4
        var fields = Reader(body)
        guard let version = fields.number(2), fields.take(32) != nil, fields.vector(1) != nil,
            let suites = fields.vector(2), fields.vector(1) != nil
        else { return nil }
        versions = [UInt16(version)]
        self.suites = Self.numbers(suites)
        var extensions = Reader(fields.vector(2) ?? [])
        while let type = extensions.number(2), let content = extensions.vector(2) {
            var content = Reader(content)
            switch type {
            case 10: groups = Self.numbers(content.vector(2) ?? [])
            case 13: signatureAlgorithms = Self.numbers(content.vector(2) ?? [])
            case 16:
                var names = Reader(content.vector(2) ?? [])
                while let name = names.vector(1) {
                    protocols.append(String(decoding: name, as: UTF8.self))
                }
            case 43: versions = Self.numbers(content.vector(1) ?? [])
            case 51:
                var list = Reader(content.vector(2) ?? [])
                while let group = list.number(2), list.vector(2) != nil {
                    shares += Self.numbers([UInt8(group >> 8), UInt8(group & 255)])
                }
            default: break
            }
        }
    }

    private static func numbers(_ bytes: ArraySlice<UInt8>) -> [UInt16] {
        var reader = Reader(bytes)
        var numbers: [UInt16] = []
        while let number = reader.number(2) { numbers.append(UInt16(number)) }
        return numbers.filter { $0 & 0x0F0F != 0x0A0A || $0 >> 8 != $0 & 255 }
    }

    /// The same without some suites, groups and protocols.
    package func without(
        suites: Set<UInt16>, groups: Set<UInt16> = [], protocols: Set<String> = []
    ) -> ClientHello {
        var hello = self
        hello.suites.removeAll { suites.contains($0) }
        hello.groups.removeAll { groups.contains($0) }
        hello.shares.removeAll { groups.contains($0) }
        hello.protocols.removeAll { protocols.contains($0) }
        // Safari names one algorithm twice.
        var known: Set<UInt16> = []
        hello.signatureAlgorithms.removeAll { !known.insert($0).inserted }
        return hello
    }

    package static func == (a: Self, b: Self) -> Bool { a.description == b.description }

    package var description: String {
        func list(_ numbers: [UInt16]) -> String {
            numbers.map { String($0, radix: 16) }.joined(separator: " ")
        }
        return "versions \(list(versions)), suites \(list(suites)), groups \(list(groups)), shares "
            + "\(list(shares)), signatures \(list(signatureAlgorithms)), ALPN \(protocols)"
    }

    /// The recorded hellos: `Tests/Hellos`.
    package static var names: [String] {
        Fixtures.files(below: folder).filter { $0.pathExtension == "txt" }
            .map { $0.deletingPathExtension().lastPathComponent }
    }

    private static var folder: URL {
        Fixtures.packageRoot.appendingPathComponent("Tests/Hellos")
    }

    /// The TLS records of a recorded hello.
    package static func recorded(_ name: String) throws -> [UInt8] {
        let file = folder.appendingPathComponent(name + ".txt")
        let digits = try String(contentsOf: file, encoding: .utf8).compactMap(\.hexDigitValue)
        return stride(from: 0, to: digits.count - 1, by: 2).map {
            UInt8(digits[$0] << 4 | digits[$0 + 1])
        }
    }

    /// Takes a hello apart; everything is nil beyond its end.
    private struct Reader {
        private var rest: ArraySlice<UInt8>

        init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

        mutating func take(_ count: Int) -> ArraySlice<UInt8>? {
            guard rest.count >= count else { return nil }
            defer { rest = rest.dropFirst(count) }
            return rest.prefix(count)
        }

        mutating func number(_ width: Int) -> Int? {
            take(width)?.reduce(0) { $0 << 8 | Int($1) }
        }

        /// Bytes behind their number in `width` bytes.
        mutating func vector(_ width: Int) -> ArraySlice<UInt8>? {
            number(width).flatMap { take($0) }
        }
    }
}
