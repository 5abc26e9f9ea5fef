import Foundation
import OpenSSL
import TestSupport
import Testing

@testable import aasa

/// Every code that a command prints can be looked up: the codes are gathered from the sources, so
/// that a new one cannot be forgotten.
@Suite struct SiteCodesTests {
    /// Names that look like codes, and are printed as something else.
    private static let others: Set<String> = ["host-meta"]

    private static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    private static func codes() throws -> Set<String> {
        let sources = root.appendingPathComponent("Sources")
        let files = FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil)
        var codes: Set<String> = []
        while let file = files?.nextObject() as? URL {
            guard ["swift", "json"].contains(file.pathExtension) else { continue }
            let text = try String(contentsOf: file, encoding: .utf8)
            // A literal that is given as a code, or stands for one by its family's name.
            let given = #/(?:code"?: |report\(\s*|gather\(\s*|fail\(\s*)"([a-z]+(?:-[a-z0-9]+)+)"/#
            let family =
                #/"((?:host|site|link|links|merge|import|json|plist|lint|edit)(?:-[a-z0-9]+)+)",/#
            for match in text.matches(of: given) { codes.insert(String(match.1)) }
            for match in text.matches(of: family) { codes.insert(String(match.1)) }
            // Of a live host a code is any literal that begins with its family's name.
            if file.path.contains("/AASADevice/Check/") {
                let live =
                    #/"((?:address|agent|answer|cdn|redirect|sibling|status|tls)(?:-[a-z0-9.]+)+)"/#
                for match in text.matches(of: live) { codes.insert(String(match.1)) }
            }
            let name = file.lastPathComponent
            let prefix: String? =
                switch name {
                case "CMSReport.swift": "cms-"
                case "CertificateProblem.swift": ""
                default: nil
                }
            guard let prefix else { continue }
            for match in text.matches(of: #/case \w+ = "([a-z0-9-]+)"/#) {
                // The questions of a report are no codes.
                if name == "CMSReport.swift", checks.contains(String(match.1)) { continue }
                codes.insert(prefix + String(match.1))
            }
        }
        return codes.subtracting(others)
    }

    private static let checks: Set<String> = [
        "trailing-bytes", "host-name", "payload-size", "file-size",
    ]

    @Test func filesAreSound() {
        let codes = CodeCatalog.table.entries.map(\.code)
        expectEqual(Set(codes).count, codes.count)
        for entry in SiteCodes.table.entries {
            #expect(!entry.remedy.isEmpty && entry.why.hasSuffix("."), "\(entry.code)")
        }
    }

    /// The verifier and its catalogue agree: a code has one severity.
    @Test func certificatesHaveTheSeverityOfTheirCode() {
        for kind in CertificateProblem.Kind.allCases {
            expectEqual(
                SiteCodes.table[kind.rawValue]?.severity,
                (kind.severity == .error ? .error : .warning), "\(kind.rawValue)")
        }
    }

    /// A code of a file that no source names can never be printed.
    @Test func everyCodeOfAFileIsUsed() throws {
        var sources = ""
        let folder = Self.root.appendingPathComponent("Sources")
        let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
        while let file = files?.nextObject() as? URL {
            guard ["swift", "json"].contains(file.pathExtension) else { continue }
            sources += try String(contentsOf: file, encoding: .utf8)
        }
        let literals = Set(
            sources.matches(of: #/"([a-z0-9.-]+)"|(?:case |, )([a-z0-9]+)/#).compactMap {
                ($0.1 ?? $0.2).map { String($0) }
            })
        for entry in CodeCatalog.table.entries {
            // The verifier of signatures names its findings without `cms-`.
            let name = entry.code.drop { $0 != "-" }.dropFirst()
            #expect(
                literals.contains(entry.code)
                    || (entry.code.hasPrefix("cms-") && literals.contains(String(name))),
                "\(entry.code) stands in no source")
        }
    }

    @Test func everyCodeIsExplained() throws {
        let codes = try Self.codes()
        // The look at the sources itself works.
        for known in ["merge-foreign-app", "host-bad-form", "plist-binary", "cms-wrong-host"] {
            #expect(codes.contains(known), "\(known) was not found in the sources")
        }
        #expect(codes.count > 150)
        let rules = try Tool.aasa(["lint", "--rules"]).stdout
        try expectEqual(Tool.aasa(["check", "--explain", "all"]).stdout, rules)
        let listed = Set(
            rules.matches(of: #/(?m)^  (?:error|warning|note) +([a-z0-9.-]+): /#).map {
                String($0.1)
            })
        for code in codes.sorted() {
            #expect(listed.contains(code), "lint --rules does not list \(code)")
            let text = try CodeCatalog.explanation(of: code)
            #expect(text.contains("\nFix: "), "\(code): \(text)")
        }
        for code in ["json-trailing-comma", "cms-wrong-host", "redirect-loop"] {
            let explained = try CodeCatalog.explanation(of: code)
            for command in ["lint", "check"] {
                let result = try Tool.aasa([command, "--explain", code])
                #expect(result.status == 0 && result.stdout == explained, "\(code): \(result)")
            }
        }
    }
}
