/// What an nginx configuration says about the paths of association documents: enough of its
/// language to find where a document is (`alias`, `root`) or what it is (`return 200 "…"`).
///
/// Directives and blocks follow nginx's own rules for tokens (quotes, escapes, comments); of
/// variables none is expanded, since only a running nginx knows them.
struct NginxConfiguration {
    /// How one `location` answers a path.
    struct Answer: Equatable {
        enum Content: Equatable {
            /// `return 200 "…"`: the text itself.
            case text(String)
            /// `alias FILE`, or `root FOLDER` with the location's path behind it.
            case file(String)
            /// A redirect, a proxy, a script: nothing that can be taken over.
            case elsewhere(String)
        }

        /// `server_name`, as written.
        let names: [String]
        /// The path that the location stands for.
        let path: String
        let content: Content
        /// Where the location stands.
        let line: Int
    }

    let answers: [Answer]

    /// - Parameter interesting: whether a path is one to look for.
    init(_ text: String, interesting: (String) -> Bool) {
        var reader = Reader(text: Array(text.utf8))
        let root = reader.block(depth: 0)
        var found: [Answer] = []
        Self.collect(root, names: [], root: nil, interesting, &found)
        answers = found
    }

    /// A directive and, where it has one, its block.
    private struct Directive {
        let words: [String]
        let line: Int
        let block: [Directive]
    }

    private static func collect(
        _ block: [Directive], names: [String], root: String?, _ interesting: (String) -> Bool,
        _ found: inout [Answer]
    ) {
        let own = block.first { $0.words.first == "server_name" }.map {
            Array($0.words.dropFirst())
        }
        let names = own ?? names
        let root = value("root", block) ?? root
        for directive in block {
            if directive.words.first == "location", let path = path(of: directive),
                interesting(path)
            {
                found.append(
                    Answer(
                        names: names, path: path,
                        content: content(directive, path: path, root: root),
                        line: directive.line))
            } else if !directive.block.isEmpty {
                collect(directive.block, names: names, root: root, interesting, &found)
            }
        }
    }

    private static func value(_ name: String, _ block: [Directive]) -> String? {
        block.first { $0.words.first == name && $0.words.count > 1 }?.words[1]
    }

    /// The path of `location = /x`, `location ^~ /x` and `location /x`; of a regular expression the
    /// text, if it stands for one path (`~ ^/x$`, dots escaped or not).
    private static func path(of location: Directive) -> String? {
        guard let last = location.words.dropFirst().last else { return nil }
        let modifier = location.words.count > 2 ? location.words[1] : ""
        guard modifier.hasPrefix("~") else { return last }
        var text = last
        if text.hasPrefix("^") { text.removeFirst() }
        if text.hasSuffix("$") { text.removeLast() }
        text.removeAll { $0 == "\\" }
        return text.hasPrefix("/") ? text : "/" + text
    }

    private static func content(
        _ location: Directive, path: String, root: String?
    ) -> Answer.Content {
        for directive in location.block {
            switch directive.words.first {
            case "return":
                if directive.words.count > 2, directive.words[1] == "200" {
                    return .text(directive.words[2])
                }
                return .elsewhere(directive.words.joined(separator: " "))
            case "alias" where directive.words.count > 1: return .file(directive.words[1])
            case "proxy_pass", "fastcgi_pass", "uwsgi_pass", "grpc_pass", "rewrite":
                return .elsewhere(directive.words.joined(separator: " "))
            default: break
            }
        }
        guard let root = value("root", location.block) ?? root else {
            return .elsewhere("it has neither root, alias nor return")
        }
        return .file(root.hasSuffix("/") ? root + path.dropFirst() : root + path)
    }

    /// Reads tokens as ngx_conf_file.c does.
    private struct Reader {
        let text: [UInt8]
        var position = 0
        var line = 1

        /// Deeper than any configuration that people write; a bound for the recursion.
        static let depthMaximum = 32

        init(text: [UInt8]) { self.text = text }

        mutating func block(depth: Int) -> [Directive] {
            var directives: [Directive] = []
            var words: [String] = []
            var start = line
            while let token = next() {
                switch token {
                case .word(let word):
                    if words.isEmpty { start = line }
                    words.append(word)
                case .end:
                    if !words.isEmpty {
                        directives.append(Directive(words: words, line: start, block: []))
                    }
                    words = []
                case .open:
                    let inner = depth < Self.depthMaximum ? block(depth: depth + 1) : []
                    directives.append(Directive(words: words, line: start, block: inner))
                    words = []
                case .close: return directives
                }
            }
            return directives
        }

        private enum Token {
            case word(String)
            case end, open, close
        }

        private mutating func next() -> Token? {
            while position < text.count {
                let byte = text[position]
                switch byte {
                case UInt8(ascii: "\n"):
                    line += 1
                    position += 1
                case UInt8(ascii: " "), 0x09, 0x0D: position += 1
                case UInt8(ascii: "#"):
                    while position < text.count, text[position] != UInt8(ascii: "\n") {
                        position += 1
                    }
                case UInt8(ascii: ";"):
                    position += 1
                    return .end
                case UInt8(ascii: "{"):
                    position += 1
                    return .open
                case UInt8(ascii: "}"):
                    position += 1
                    return .close
                case UInt8(ascii: "\""), UInt8(ascii: "'"): return .word(quoted(byte))
                default: return .word(plain())
                }
            }
            return nil
        }

        private mutating func quoted(_ quote: UInt8) -> String {
            position += 1
            var bytes: [UInt8] = []
            while position < text.count, text[position] != quote {
                if text[position] == UInt8(ascii: "\\"), position + 1 < text.count {
                    position += 1
                    switch text[position] {
                    case UInt8(ascii: "n"): bytes.append(0x0A)
                    case UInt8(ascii: "r"): bytes.append(0x0D)
                    case UInt8(ascii: "t"): bytes.append(0x09)
                    case UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "\\"):
                        bytes.append(text[position])
                    default: bytes += [UInt8(ascii: "\\"), text[position]]
                    }
                } else {
                    if text[position] == 0x0A { line += 1 }
                    bytes.append(text[position])
                }
                position += 1
            }
            position += 1
            return String(decoding: bytes, as: UTF8.self)
        }

        private mutating func plain() -> String {
            let start = position
            while position < text.count {
                switch text[position] {
                case 0x09, 0x0A, 0x0D, UInt8(ascii: " "), UInt8(ascii: ";"):
                    return String(decoding: text[start..<position], as: UTF8.self)
                case UInt8(ascii: "{") where position > start && text[position - 1] != 0x24:
                    return String(decoding: text[start..<position], as: UTF8.self)
                case UInt8(ascii: "\\") where position + 1 < text.count: position += 2
                default: position += 1
                }
            }
            return String(decoding: text[start..<position], as: UTF8.self)
        }
    }
}
