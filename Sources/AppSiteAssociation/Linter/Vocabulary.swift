/// Every key that Apple documents, per level; what is not here is ignored by devices.
enum Vocabulary {
    /// Services of the document itself.
    static let services = ["applinks", "webcredentials", "appclips", "activitycontinuation"]
    /// Services in use that Apple does not document for this file (domain.md 2.1).
    static let furtherServices = ["authsrv"]
    static let applinks = ["apps", "details", "defaults", "substitutionVariables"]
    static let appList = ["apps"]
    static let entry = ["appIDs", "appID", "components", "paths", "defaults"]
    static let component = [
        "/", "?", "#", "exclude", "comment", "caseSensitive", "percentEncoded",
    ]
    /// The same, made ready for the question what a misspelt key was meant to be.
    static let serviceWords = WordList(services)
    static let applinksWords = WordList(applinks)
    static let appListWords = WordList(appList)
    static let entryWords = WordList(entry)
    static let componentWords = WordList(component)

    /// Asked for every member of every component.
    static func isComponentKey(_ key: String) -> Bool {
        switch key {
        case "/", "?", "#", "exclude", "comment", "caseSensitive", "percentEncoded": true
        default: false
        }
    }

    static func isEntryKey(_ key: String) -> Bool { entry.contains(key) }

    /// Members that make a component compare something.
    static let patterns: Set<String> = ["/", "?", "#"]
    /// What people write for a member with a sign for a name.
    static let signNames = [
        "path": "/", "paths": "/", "query": "?", "queries": "?", "fragment": "#", "hash": "#",
        "not": "exclude", "ignorecase": "caseSensitive", "params": "?", "url": "/",
    ]
    /// Variables that every rule can use (Apple, SubstitutionVariables).
    static let builtInVariables = [
        "alpha", "upper", "lower", "alnum", "digit", "xdigit", "region", "lang",
    ]

    /// Where a known key belongs that stands at the wrong level.
    static func home(of key: String) -> String? {
        switch key {
        case "details", "substitutionVariables": "applinks"
        case "defaults": "applinks, or an entry of applinks.details"
        case "components", "paths", "appIDs", "appID": "an entry of applinks.details"
        case "applinks", "webcredentials", "appclips", "activitycontinuation": "the top level"
        default: nil
        }
    }
}
