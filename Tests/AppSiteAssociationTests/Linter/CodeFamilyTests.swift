import Foundation
import TestSupport
import Testing

@testable import AppSiteAssociation

@Suite struct CodeFamilyTests {
    /// The catalogue of the linter in the sources.
    private static let folder = URL(
        fileURLWithPath: #filePath.replacing("/Tests/", with: "/Sources/")
            .replacing("AppSiteAssociationTests", with: "AppSiteAssociation")
    ).deletingLastPathComponent().appendingPathComponent("Catalog")

    private func read(_ text: String) -> CodeFamily {
        CodeFamily(Array(text.utf8).split(separator: 10, omittingEmptySubsequences: false))
    }

    @Test func anEntryHasItsFields() throws {
        let file = read(
            """
            # sizes

            ## too-large
            severity: warning
            title: The file is large
            why: Devices read 131,072 bytes:
                they ignore the rest.
            fix: Make it smaller.
            fix two parts: Split it:
                one file each.

            ## second
            severity: note
            needs: tls answer
            title: t
            why: w
            """)
        expectEqual(file.name, "sizes")
        expectEqual(file.entries.map(\.code), ["too-large", "second"])
        let entry = file.entries[0]
        #expect(entry.severity == .warning && entry.title == "The file is large")
        expectEqual(entry.why, "Devices read 131,072 bytes: they ignore the rest.")
        #expect(entry.remedy == "Make it smaller." && entry.bad == nil)
        expectEqual(entry.remedies, ["two parts": "Split it: one file each."])
        #expect(entry.needs == nil && file.entries[1].needs == ["tls", "answer"])
        #expect(file.entries[1].remedy == "" && file.entries[1].device == nil)
    }

    @Test func aRuleHasItsEvidence() {
        let entry = read(
            "## c\ndevice: skips it\nevidence: apple-tool\nsource: RFC 1, 2 <https://a.example/>\n"
        ).entries[0]
        #expect(entry.device == "skips it" && entry.standing == .appleTool)
        #expect(entry.source == "RFC 1, 2" && entry.page == "https://a.example/")
    }

    /// A finding names what it is about in the words of its entry.
    @Test(arguments: [
        ("says: \"{}\" is a URL\n", "\"x\" is a URL"),
        ("says: $({}) is\n    unused\n", "$(x) is unused"),
        ("says: nothing is here\n", "nothing is here"), ("says: there is {}\n", "there is x"),
        ("title: t\n", "x"), ("", "x"),
    ]) func anEntryHasTheWordsOfItsFindings(_ field: String, _ message: String) {
        expectEqual(read("## c\n\(field)").entries[0].message("x"), message)
    }

    /// Each line of any target's files is a name, a code, a known field or text below one; the
    /// reader skips what it does not know.
    @Test func everyLineIsRead() throws {
        let sources = Self.folder.deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let enumerator = FileManager.default.enumerator(
            at: sources, includingPropertiesForKeys: nil)
        let fields: Set = [
            "severity", "title", "why", "fix", "device", "evidence", "source", "bad", "good",
            "with", "needs", "says",
        ]
        var count = 0
        while let file = enumerator?.nextObject() as? URL {
            guard file.pathExtension == "txt",
                file.deletingLastPathComponent().lastPathComponent == "Catalog"
            else { continue }
            count += 1
            let text = try String(contentsOf: file, encoding: .utf8)
            #expect(text.hasPrefix("# "), "\(file.path)")
            for entry in text.split(separator: "\n## ").dropFirst() {
                let names = entry.split(separator: "\n").dropFirst().filter {
                    !$0.hasPrefix("    ")
                }
                .map { String($0.prefix { $0 != ":" }) }
                let place = "\(file.lastPathComponent): \(entry.prefix { $0 != "\n" })"
                #expect(
                    names.allSatisfy { fields.contains($0) || $0.hasPrefix("fix ") }, "\(place)")
                for name in ["severity", "title", "why"] {
                    expectEqual(names.count { $0 == name }, 1, "\(place): \(name)")
                }
            }
        }
        #expect(count > 30)
    }

    /// Only text, so that nothing can go wrong with any bytes.
    @Test(arguments: ["", "\n\n", "    indented", "bad: f\n    x", "## \n:", "# \n#\n##\n"])
    func anythingCanBeRead(_ text: String) {
        #expect(read(text).entries.count <= 1)
    }

    @Test func filesOfTheLinterAreSound() {
        for entry in RuleCatalog.table.entries {
            #expect(entry.standing != nil && !entry.source.isEmpty, "\(entry.code)")
            #expect(entry.bad != nil && entry.good != nil, "\(entry.code)")
            #expect(entry.page.hasPrefix("https://"), "\(entry.code): \(entry.page)")
            #expect(!entry.source.contains(".md"), "\(entry.code): \(entry.source)")
            expectEqual((entry.device != nil), (entry.severity == .error), "\(entry.code)")
        }
    }

    /// A file that is not in the list of `CTexts` would be forgotten.
    @Test func everyFileIsListed() throws {
        let folder = Self.folder.path
        let names = try FileManager.default.contentsOfDirectory(atPath: folder)
            .filter { $0.hasSuffix(".txt") }
            .map { name in
                let bytes = try Data(contentsOf: URL(fileURLWithPath: "\(folder)/\(name)"))
                return CodeTable([UInt8](bytes)).families.map(\.name)
            }
        expectEqual(Set(names.joined()), Set(RuleCatalog.table.families.map(\.name)))
        expectEqual(names.count, RuleCatalog.table.families.count)
    }

    @Test func codesAreUniqueAcrossFiles() {
        let table = CodeTable(Array("# a\n## c\ntitle: 1\n# b\n## c\ntitle: 2".utf8))
        expectEqual(table.families.map(\.name), ["a", "b"])
        #expect(table["c"]?.title == "1" && table["d"] == nil && table.entries.count == 2)
        expectEqual(Set(RuleCatalog.all.map(\.code)).count, RuleCatalog.all.count)
    }
}
