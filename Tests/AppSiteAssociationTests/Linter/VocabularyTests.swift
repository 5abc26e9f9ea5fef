import Testing

@testable import AppSiteAssociation

@Suite struct VocabularyTests {
    private static let everyKey =
        Vocabulary.rootMembers.map(\.key) + Vocabulary.applinks + Vocabulary.entry
        + Vocabulary.component + Vocabulary.appList

    @Test func keysAreThoseOfTheTables() {
        for key in Set(Self.everyKey + ["Paths", "appid", "", "details2"]) {
            #expect(Vocabulary.isComponentKey(key) == Vocabulary.component.contains(key), "\(key)")
            #expect(Vocabulary.isEntryKey(key) == Vocabulary.entry.contains(key), "\(key)")
        }
        #expect(
            Vocabulary.services == [
                "applinks", "webcredentials", "appclips", "activitycontinuation",
            ])
        // Each is in the model.
        #expect(
            Set(Vocabulary.services) == Set(["applinks"] + AppList.Service.allCases.map(\.rawValue))
        )
        #expect(Vocabulary.patterns.isSubset(of: Vocabulary.component))
    }

    @Test func namesInATableAreUnique() {
        for table in [
            Vocabulary.rootMembers, Vocabulary.appListMembers, Vocabulary.applinksMembers,
            Vocabulary.entryMembers, Vocabulary.componentMembers,
        ] {
            #expect(Set(table.map(\.key)).count == table.count)
        }
    }

    /// A remedy names a member that there is, and none says that a right name is wrong.
    @Test func remediesNameMembers() {
        for (written, meant) in Vocabulary.signNames {
            #expect(Vocabulary.component.contains(meant), "\(written)")
            #expect(!Vocabulary.component.contains(written) && written == written.lowercased())
        }
        for (written, meant) in Vocabulary.opposites {
            #expect(["exclude", "caseSensitive", "percentEncoded"].contains(meant), "\(written)")
            #expect(written.allSatisfy { $0.isLowercase })
            #expect(Vocabulary.signNames[written] == nil)
        }
    }

    @Test(arguments: [
        ("details", "applinks" as String?), ("substitutionVariables", "applinks"),
        ("defaults", "applinks, or an entry of applinks.details"),
        ("components", "an entry of applinks.details"), ("appID", "an entry of applinks.details"),
        ("applinks", "the top level"), ("appclips", "the top level"), ("apps", nil),
        ("exclude", nil), ("Details", nil), ("", nil),
    ]) func everyKeyHasItsHome(_ key: String, _ home: String?) {
        #expect(Vocabulary.home(of: key) == home)
    }

    /// Every word with one level of its own is known to belong there.
    @Test func noKeyIsHomeless() {
        for key in Vocabulary.services { #expect(Vocabulary.home(of: key) == "the top level") }
        for key in Vocabulary.entry + Vocabulary.applinks where key != "apps" {
            #expect(Vocabulary.home(of: key) != nil, "\(key)")
        }
    }

    /// The linter knows the variables that the matcher has built in, and no others.
    @Test func builtInVariablesAreThoseOfTheMatcher() {
        for name in Vocabulary.builtInVariables {
            #expect(Vocabulary.isBuiltInVariable(name))
            #expect(!Pattern("$(\(name))").matchesNothing, "\(name)")
        }
        for name in ["Digit", "digits", "", "uk", "language", "dig"] {
            #expect(!Vocabulary.isBuiltInVariable(name))
            #expect(Pattern("$(\(name))").matchesNothing, "\(name)")
        }
    }
}
