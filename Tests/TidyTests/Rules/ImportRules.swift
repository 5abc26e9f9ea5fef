/// The table of the house: what each target may import (see Sources/README.md).
let allowedImports: [String: Set<String>] = {
    let platform: Set<String> = ["Synchronization"]
    let mechanisms: Set<String> = ["AppSiteAssociation", "HTTP", "OpenSSL", "Reactor"]
    return [
        "Texts": ["CTexts"],
        "AppSiteAssociation": ["Texts"],
        "Reactor": platform.union(["CLinux", "Glibc"]),
        "OpenSSL": platform.union(["COpenSSL"]),
        "HTTP": platform.union(["CNGHTTP2"]),
        "AASAServer": platform.union(mechanisms).union(["Logging", "Texts"]),
        "AASAClient": platform.union(["HTTP", "OpenSSL", "Reactor"]),
        "ACME": platform.union([
            "AASAClient", "AppSiteAssociation", "Logging", "OpenSSL", "Reactor",
        ]),
        "AASAFleet": platform.union([
            "AASAClient", "ACME", "AppSiteAssociation", "OpenSSL", "Reactor",
        ]),
        "AASADevice": platform.union(mechanisms).union(["AASAClient", "Texts"]),
        "AASAStorm": platform.union(mechanisms).union([
            "AASAClient", "AASADevice", "Histogram", "Texts",
        ]),
        "aasa": platform.union(mechanisms).union([
            "AASAClient", "AASADevice", "AASAFleet", "AASAServer", "AASAStorm", "ACME",
            "ArgumentParser", "CBuild", "Logging", "Texts",
        ]),
    ]
}()

let importRules = [
    Rule(
        name: "imports point downward",
        why: "the mechanisms stay strangers to each other and each C module keeps one importer"
    ) { tree in
        tree.files.filter { $0.isSwift && $0.target != nil }.flatMap { file -> [Finding] in
            guard let target = file.target, let allowed = allowedImports[target] else {
                return [Finding(path: file.path, message: "no import table for this target")]
            }
            return imports(of: file).compactMap { found in
                if allowed.contains(found.module) { return nil }
                if Exceptions.imports["\(file.path) \(found.module)"] != nil { return nil }
                return Finding(
                    path: file.path, line: found.line,
                    message: "\(target) may not import \(found.module)")
            }
        }
    },
    Rule(
        name: "protocols and formats see no descriptor and no clock",
        why: "bytes in, values out: their tests need no socket and no time"
    ) { tree in
        // What OpenSSL's headers would let in by the back door.
        let doors = [
            "BIO_new_file", "BIO_new_fd", "BIO_new_fp", "SSL_set_fd", "SSL_set_rfd", "SSL_set_wfd",
            "X509_cmp_current_time", "X509_gmtime_adj", "time(", "clock_gettime", "fopen",
            "ContinuousClock", "SuspendingClock", "SSL_CTX_load_verify_locations",
            "SSL_CTX_use_certificate_chain_file", "SSL_CTX_use_PrivateKey_file",
        ]
        let pure: Set<String> = ["AppSiteAssociation", "HTTP", "OpenSSL"]
        return findings(
            in: tree.files.filter { $0.isSwift && pure.contains($0.target ?? "") }
        ) { line in
            doors.first { containsWord($0, in: line) && !line.contains("." + $0) }
                .map { "\($0) belongs into Reactor, or to the caller" }
        }
    },
    Rule(
        name: "C modules are imported by one target",
        why: "one door per foreign thing: syscalls, OpenSSL, nghttp2"
    ) { tree in
        let doors = [
            "CBuild": "aasa", "CLinux": "Reactor", "COpenSSL": "OpenSSL", "CNGHTTP2": "HTTP",
            "CTexts": "Texts",
        ]
        return tree.files.filter { $0.isSwift && !$0.isFixture }.flatMap { file in
            imports(of: file).compactMap { found in
                guard let door = doors[found.module] else { return nil }
                // Tests and fuzzers of the door itself may look behind it.
                let isDoor =
                    file.target == door || file.path.hasPrefix("Tests/\(door)Tests/")
                    || file.path.hasPrefix("Tests/Fuzz/")
                if isDoor { return nil }
                return Finding(
                    path: file.path, line: found.line,
                    message: "\(found.module) is imported by \(door) alone")
            }
        }
    },
]

/// The modules that a file imports, with their lines (1-based).
func imports(of file: SourceTree.File) -> [(module: String, line: Int)] {
    file.swift.code.enumerated().compactMap { index, line in
        let words = line.split(separator: " ").map(String.init)
        guard let keyword = words.firstIndex(of: "import"),
            words[..<keyword].allSatisfy({ isImportModifier($0) })
        else { return nil }
        let kinds: Set<String> = [
            "struct", "class", "enum", "func", "let", "var", "typealias", "protocol",
        ]
        let names = words[(keyword + 1)...].drop { kinds.contains($0) }
        guard let name = names.first else { return nil }
        return (String(name.prefix { $0 != "." && $0 != ";" }), index + 1)
    }
}

private func isImportModifier(_ word: String) -> Bool {
    word.hasPrefix("@")
        || ["public", "package", "internal", "fileprivate", "private"].contains(word)
}
