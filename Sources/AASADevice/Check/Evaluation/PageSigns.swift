import Texts

/// What the answers of one kind have in common, from `page-signs.txt`: in each line the name of a
/// kind, and texts in lower case, all of which an answer contains.
///
/// The texts about certificates are those of nginx, Apache, IIS 403.7, HAProxy and others, those
/// about countries those of CloudFront, Cloudflare (1009) and others.
enum PageSigns {
    private static let all = Text.pageSigns.string.split(separator: "\n").map { line in
        let parts = line.split(separator: " | ")
        return (name: String(parts[0]), texts: parts[1].split(separator: " & "))
    }

    /// The first wanted kind that a text in lower case has a sign of.
    static func name(in text: String, where isWanted: (String) -> Bool) -> String? {
        all.first { sign in
            isWanted(sign.name) && sign.texts.allSatisfy { text.contains($0) }
        }?.name
    }

    static func has(_ wanted: String, in text: String) -> Bool {
        name(in: text) { $0 == wanted } != nil
    }
}
