import AppSiteAssociation

/// Checks the name of a host in a folder name or in `aliases`. Clients send this name in `Host` and
/// SNI, hence lower-case A-labels (RFC 5890 section 2.3.2.1, RFC 1123 section 2.1).
package enum HostName {
    /// Why a name cannot be served, and what to write instead.
    package struct Problem: Error, Equatable {
        package let message: String
        package let remedy: String
    }

    package static func problem(of name: String) -> Problem? {
        func problem(_ message: String, _ remedy: String) -> Problem {
            Problem(message: "\"\(name)\"" + message, remedy: remedy)
        }
        if name.contains("*") {
            return problem(
                ": a wildcard is not a host",
                "for *.example.com, Apple asks example.com: name that host")
        }
        if name.contains("/") || name.contains(":") {
            return problem(
                " is not a host name",
                "write only the name, without scheme, port and path: example.com")
        }
        let sent = corrected(name)
        if sent != name { return problem(" is sent in another form", "write \(sent) instead") }
        if name.utf8.count > 253 {
            return problem(
                " has \(name.utf8.count) bytes; DNS names have at most 253", "shorten it")
        }
        let labels = name.split(separator: ".", omittingEmptySubsequences: false)
        let bad = labels.first { label in
            let isPlain = label.utf8.allSatisfy {
                (97...122).contains($0) || (48...57).contains($0) || $0 == 45
            }
            return label.isEmpty || label.utf8.count > 63 || !isPlain || label.hasPrefix("-")
                || label.hasSuffix("-")
        }
        if let bad {
            return problem(
                " is not a host name (label \"\(bad)\")",
                "use 1 to 63 letters a-z, digits and inner hyphens per label")
        }
        if let last = labels.last, last.utf8.allSatisfy({ (48...57).contains($0) }) {
            return problem(
                " is an address; association files belong to names",
                "name the host that the address serves")
        }
        return nil
    }

    /// The name that clients send for a name in capitals, in Unicode or with a dot at its end.
    package static func corrected(_ name: String) -> String {
        let plain = name.lowercased()
        return Punycode.ascii(plain.hasSuffix(".") ? String(plain.dropLast()) : plain) ?? plain
    }
}
