import AASAClient
import Texts

/// What the answers of one kind have in common, from `page-signs.txt`: in each line the name of a
/// kind, and texts in lower case, all of which an answer contains. A text that begins with `<` is a
/// field of the head: `<name` with any value, `<name: value`, or `<name: *part of the value`. The
/// texts are those of nginx, Apache, IIS 403.7, HAProxy, CloudFront, Cloudflare (1009) and others.
enum PageSigns {
    private static let all = Text.pageSigns.string.split(separator: "\n").map { line in
        let parts = line.split(separator: " | ")
        return (name: String(parts[0]), texts: parts[1].split(separator: " & "))
    }

    /// The first wanted kind that a text in lower case, or the head before it, has a sign of.
    static func name(
        in text: String, _ head: ResponseHead? = nil, where isWanted: (String) -> Bool
    ) -> String? {
        all.first { sign in
            isWanted(sign.name)
                && sign.texts.allSatisfy {
                    $0.hasPrefix("<") ? hasField($0.dropFirst(), head) : text.contains($0)
                }
        }?.name
    }

    private static func hasField(_ sign: Substring, _ head: ResponseHead?) -> Bool {
        let parts = sign.split(separator: ": ")
        guard let value = head?.value(String(parts[0]))?.lowercased() else { return false }
        guard parts.count > 1 else { return true }
        return parts[1].hasPrefix("*")
            ? value.contains(parts[1].dropFirst()) : value == parts[1]
    }

    static func has(_ wanted: String, in text: String) -> Bool {
        name(in: text) { $0 == wanted } != nil
    }
}
