/// Recognizes what a guide or a template left to fill in: in identifiers, domains and packages.
enum Placeholder {
    /// The placeholder in a name of parts separated by full stops; nil if there is none.
    ///
    /// Only what no real name can be: template syntax, words of guides, `YOUR_DOMAIN_HERE`.
    static func part(of name: String) -> String? {
        guard name.utf8.count <= 256 else { return nil }
        if let sign = syntax(name) { return sign }
        var name = name
        return name.withUTF8 { bytes in
            bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
                .first(where: isWord).map { String(decoding: $0, as: UTF8.self) }
        }
    }

    /// Brackets, percent signs and their like: `<%= team %>`, `{{team}}`, `${TEAM}`, `%TEAM%`,
    /// `[TEAM]`, `@TEAM@`, `__TEAM__`. No identifier and no domain has them.
    static func syntax(_ text: String) -> String? {
        // Nearly every name has letters, digits, hyphens and full stops only, and comparing
        // Characters costs a hundred times as much as comparing bytes.
        if text.utf8.allSatisfy(\.isSchemeCharacter) { return nil }
        if let sign = text.first(where: { "<>[]{}$%|…‹›«»#".contains($0) }) { return String(sign) }
        // One @ alone is of an address of mail.
        if text.utf8.count(where: { $0 == UInt8(ascii: "@") }) > 1 { return "@" }
        return text.contains("__") ? "__" : nil
    }

    /// Whether a part is words of a template and nothing else.
    private static func isWord(_ part: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
        guard part.count >= 4, let first = part.first else { return false }
        if first >= 0x80 { return isForeign(String(decoding: part, as: UTF8.self)) }
        guard initials.contains(first | 0x20) else { return false }
        let text = String(decoding: part, as: UTF8.self)
        if notes.contains(text) { return true }
        let isShouted =
            part.contains(UInt8(ascii: "_"))
            && part.allSatisfy { $0.isASCIIUppercase || $0 == UInt8(ascii: "_") }
        let letters = part.lazy.filter { !"-_".utf8.contains($0) }.map(\.asciiLowercased)
        var word = String(decoding: letters, as: UTF8.self)
        if phrases.contains(word) { return true }
        for end in ["here", "name", "identifier", "id"] where word.hasSuffix(end) {
            word.removeLast(end.count)
            if phrases.contains(word) { return true }
        }
        return isShouted
            && text.split(separator: "_").contains { nouns.contains($0.lowercased()) }
    }

    private static func isForeign(_ part: String) -> Bool {
        ["ваш", "你的", "您的", "あなたの", "여러분"].contains { part.lowercased().hasPrefix($0) }
    }

    /// Whole parts; without hyphens.
    private static let words: Set<String> = [
        "companyname", "appname", "bundleid", "bundleidentifier", "changeme", "replaceme",
        "organizationidentifier", "orgname", "packagename", "domainname", "yourname",
        "fullyqualifieddomain", "insertdomain", "teamid", "teamidentifier",
    ]
    /// Notes in capitals: `com.acme.todo` may be a real app.
    private static let notes: Set<String> = [
        "TO" + "DO", "FIX" + "ME", "PLACEHOLDER", "IDENTIFIER", "DOMAIN", "XXXX",
    ]
    /// "Your" and "my" in the languages of guides.
    private static let owners = [
        "your", "deine", "ihre", "votre", "seu", "sua", "tuo", "vostro", "jouw", "twoja",
    ]
    /// Real names begin with these, too: only in front of a word for a domain.
    private static let shortOwners = ["my", "meine", "mon", "ton", "tu", "su", "mi", "uw", "mijn"]
    private static let domains = [
        "domain", "domaine", "dominio", "domein", "website", "webseite", "company",
    ]
    private static let nouns: Set<String> = [
        "domain", "domaine", "dominio", "domein", "domena", "site", "sito", "sitio", "website",
        "webseite", "app", "company", "firma", "entreprise", "empresa", "azienda", "bedrijf",
        "team", "equipo", "equipe", "prefix", "bundle", "package", "org", "organization", "host",
        "hostname", "appid", "bundleid", "teamid",
    ]
    /// All of them, and "your app" in its languages.
    private static let phrases = words.union(
        owners.flatMap { owner in nouns.map { owner + $0 } }
            + shortOwners.flatMap { owner in domains.map { owner + $0 } })
    private static let initials = Set(
        (words.union(notes).union(nouns).map { $0 } + owners + shortOwners).compactMap {
            $0.utf8.first.map { $0 | 0x20 }
        })
}
