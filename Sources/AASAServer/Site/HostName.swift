/// Checks the name of a host as it stands in a folder name or in `aliases`: what a client puts into
/// `Host` and SNI, hence lower-case A-labels (RFC 5890 section 2.3.2.1, RFC 1123 section 2.1).
package enum HostName {
    /// Why a name cannot be served, and what to write instead.
    package struct Problem: Error, Equatable {
        package let message: String
        package let remedy: String
    }

    /// The same as a regular expression, for schemas.
    static let expression =
        "^(?=.{1,253}$)(?!([^.]*\\.)*[0-9]+$)[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?"
        + "(\\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*$"

    package static func problem(of name: String) -> Problem? {
        if name.isEmpty {
            return Problem(message: "a host name is empty", remedy: "write example.com")
        }
        if name.utf8.contains(where: { $0 >= 0x80 }) {
            return Problem(
                message: "\"\(name)\" is written in Unicode; clients send the ASCII form",
                remedy: "write \(Punycode.ascii(name) ?? "its xn-- form") instead")
        }
        if name.contains("*") {
            return Problem(
                message: "\"\(name)\": a wildcard is not a host",
                remedy: "for *.example.com, Apple asks example.com: name that host")
        }
        if name.contains(where: { $0.isUppercase }) {
            return Problem(
                message: "\"\(name)\" has capital letters", remedy: "write \(name.lowercased())")
        }
        if name.contains("/") || name.contains(":") {
            return Problem(
                message: "\"\(name)\" is not a host name",
                remedy: "leave out scheme, port and path: the bare name, as in example.com")
        }
        if name.hasSuffix(".") {
            return Problem(
                message: "\"\(name)\" ends in a full stop", remedy: "write \(name.dropLast())")
        }
        return labelProblem(of: name)
    }

    private static func labelProblem(of name: String) -> Problem? {
        if name.utf8.count > 253 {
            return Problem(
                message: "\"\(name)\" has \(name.utf8.count) bytes; DNS names have at most 253",
                remedy: "shorten it")
        }
        let labels = name.split(separator: ".", omittingEmptySubsequences: false)
        for label in labels {
            let isPlain = label.utf8.allSatisfy {
                (97...122).contains($0) || (48...57).contains($0) || $0 == 45
            }
            if label.isEmpty || label.utf8.count > 63 || !isPlain || label.hasPrefix("-")
                || label.hasSuffix("-")
            {
                return Problem(
                    message: "\"\(name)\" is not a host name (label \"\(label)\")",
                    remedy: "letters a-z, digits and inner hyphens, 1 to 63 per label")
            }
        }
        if let last = labels.last, last.utf8.allSatisfy({ (48...57).contains($0) }) {
            return Problem(
                message: "\"\(name)\" is an address; association files belong to names",
                remedy: "name the host that the address serves")
        }
        return nil
    }
}

/// Unicode host name → ASCII form (RFC 3492), for advice in messages only: letters are lower-cased,
/// the full mapping of UTS 46 is left to whoever registers the name.
package enum Punycode {
    package static func ascii(_ name: String) -> String? {
        var labels: [String] = []
        for label in name.lowercased().split(separator: ".", omittingEmptySubsequences: false) {
            guard let encoded = encode(label) else { return nil }
            labels.append(encoded)
        }
        return labels.joined(separator: ".")
    }

    private static func encode(_ label: Substring) -> String? {
        let input = label.unicodeScalars.map(\.value)
        let basic = input.filter { $0 < 0x80 }
        if basic.count == input.count { return String(label) }
        var output = basic.map { UInt8($0) }
        if !basic.isEmpty { output.append(UInt8(ascii: "-")) }
        var (n, delta, bias) = (UInt32(128), UInt32(0), UInt32(72))
        var handled = UInt32(basic.count)
        while handled < UInt32(input.count) {
            guard let next = input.filter({ $0 >= n }).min() else { return nil }
            let (step, overflow) = (next - n).multipliedReportingOverflow(by: handled + 1)
            if overflow { return nil }
            delta &+= step
            n = next
            for scalar in input {
                if scalar < n { delta += 1 }
                if scalar == n {
                    append(delta, bias: bias, to: &output)
                    bias = adapt(delta, points: handled + 1, first: handled == UInt32(basic.count))
                    delta = 0
                    handled += 1
                }
            }
            delta += 1
            n += 1
        }
        return "xn--" + String(decoding: output, as: UTF8.self)
    }

    /// RFC 3492 section 6.3, the variable-length integer.
    private static func append(_ delta: UInt32, bias: UInt32, to output: inout [UInt8]) {
        var rest = delta
        var k: UInt32 = 36
        while true {
            let threshold = k <= bias ? 1 : min(26, k - bias)
            if rest < threshold { break }
            output.append(digit(threshold + (rest - threshold) % (36 - threshold)))
            rest = (rest - threshold) / (36 - threshold)
            k += 36
        }
        output.append(digit(rest))
    }

    private static func digit(_ value: UInt32) -> UInt8 {
        UInt8(truncatingIfNeeded: value < 26 ? 97 + value : 22 + value)
    }

    /// RFC 3492 section 6.1.
    private static func adapt(_ delta: UInt32, points: UInt32, first: Bool) -> UInt32 {
        var delta = first ? delta / 700 : delta / 2
        delta += delta / points
        var k: UInt32 = 0
        while delta > 455 {
            delta /= 35
            k += 36
        }
        return k + 36 * delta / (delta + 38)
    }
}
