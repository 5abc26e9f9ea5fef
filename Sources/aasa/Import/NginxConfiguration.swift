/// What an nginx configuration says about the paths of association documents: enough of its
/// language to find where a document is (`alias`, `root`, `try_files`) or what it is
/// (`return 200 "…"`).
///
/// Directives and blocks follow nginx's own rules for tokens (quotes, escapes, comments). Of
/// variables only `$uri` and `$document_root` are expanded: only a running nginx knows the others.
struct NginxConfiguration {
    /// A path under which a client asks for the document, the one that counts first.
    enum Request: CaseIterable {
        /// What devices since iOS 13 read, and nothing else.
        case wellKnown
        /// What earlier ones read where the first is not there.
        case root
        /// No client asks for it; another location may pass on to it.
        case other

        var path: String? {
            switch self {
            case .wellKnown: "/.well-known/" + ImportedSite.documentName
            case .root: "/" + ImportedSite.documentName
            case .other: nil
            }
        }
    }

    /// How a server answers a request.
    struct Answer {
        enum Content {
            /// `return 200 "…"`: the text itself.
            case text(String)
            /// `alias FILE`, `root FOLDER` with the path behind it, or what `try_files` names: the
            /// first that is there is served.
            case files([String])
            /// A redirect, a proxy, a script: nothing that can be taken over.
            case elsewhere(String)
        }

        /// `server_name`, as written.
        let names: [String]
        let request: Request
        let content: Content
        /// Where the location stands.
        let line: Int
    }

    /// Per server and request that of the location which nginx chooses, in the order of the text.
    let answers: [Answer]

    init(_ text: String) {
        var reader = Reader(text: Array(text.utf8))
        var servers: [[Location]] = [[]]
        Self.collect(reader.block(depth: 0), Surroundings(), &servers)
        answers = servers.flatMap(Self.answers)
    }

    /// A directive and, where it has one, its block.
    private struct Directive {
        let words: [String]
        let line: Int
        let block: [Directive]

        var name: String? { words.first }
        var text: String { words.joined(separator: " ") }
    }

    /// What holds for a location because of the blocks around it.
    private struct Surroundings {
        var names: [String] = []
        var root: String?
        /// A server's own `return`, which answers before any location is looked for.
        var order: Directive?
    }

    private static func collect(
        _ block: [Directive], _ outer: Surroundings, _ servers: inout [[Location]]
    ) {
        var own = outer
        if let names = block.first(where: { $0.name == "server_name" }) {
            own.names = Array(names.words.dropFirst())
        }
        own.root = value("root", block) ?? outer.root
        for directive in block {
            if let location = Location(directive, own) {
                servers[servers.count - 1].append(location)
            } else if !directive.block.isEmpty {
                var inner = own
                if directive.name == "server" {
                    servers.append([])
                    inner.order = directive.block.first { $0.name == "return" }
                }
                collect(directive.block, inner, &servers)
            }
        }
    }

    private static func value(_ name: String, _ block: [Directive]) -> String? {
        block.first { $0.name == name && $0.words.count > 1 }?.words[1]
    }

    /// For each request the location that comes first in nginx's precedence, the earlier of two
    /// equal ones. Of prefixes none is longer than another here: each is the whole path.
    ///
    /// Source: nginx.org/en/docs/http/ngx_http_core_module.html#location
    private static func answers(of server: [Location]) -> [Answer] {
        var answers: [Answer] = []
        for request in [Request.wellKnown, .root] {
            let matching = server.filter { $0.matches(request) }
            let chosen = Location.Kind.allCases.lazy.compactMap { kind in
                matching.first { $0.kind == kind }
            }.first
            if let chosen { answers.append(chosen.answer(to: request)) }
        }
        let others = server.filter { !$0.matches(.wellKnown) && !$0.matches(.root) }
        return answers + others.map { $0.answer(to: .other) }
    }

    /// The first variable of a text that is still in it. A dollar sign before anything but a name
    /// is none.
    private static func variable(in text: String) -> String? {
        let pieces = text.split(separator: "$", omittingEmptySubsequences: false).dropFirst()
        return pieces.lazy.map { piece in
            piece.drop { $0 == "{" }.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
        }.first { !$0.isEmpty }.map { "$" + $0 }
    }

    /// `$NAME` and `${NAME}` replaced.
    private static func expanded(_ text: String, _ values: [String: String]) -> String {
        let pieces = text.split(separator: "$", omittingEmptySubsequences: false)
        return String(pieces[0])
            + pieces.dropFirst().map { piece in
                let isBraced = piece.hasPrefix("{")
                let inner = isBraced ? piece.dropFirst() : piece
                let name = inner.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
                guard let value = values[String(name)] else { return "$" + piece }
                return value + inner.dropFirst(name.count + (isBraced ? 1 : 0))
            }.joined()
    }

    /// A `location` for the document.
    private struct Location {
        /// nginx's modifiers, in the order of their precedence.
        enum Kind: String, CaseIterable {
            case exact = "="
            case finalPrefix = "^~"
            case regex = "~"
            case prefix = ""
        }

        let kind: Kind
        /// Of a regular expression the text without anchors and escapes.
        let path: String
        private let isAnchored: Bool
        private let surroundings: Surroundings
        private let directive: Directive

        /// Nil for other directives, and for locations that do not name the document.
        init?(_ directive: Directive, _ surroundings: Surroundings) {
            // The modifier may stand in a word of its own, or right before the path.
            var text = directive.words.dropFirst().joined()
            guard directive.name == "location", text.contains(ImportedSite.documentName) else {
                return nil
            }
            let kind = Kind.allCases.first { text.hasPrefix($0.rawValue) } ?? .prefix
            text.removeFirst(kind.rawValue.count)
            var isAnchored = false
            if kind == .regex {
                if text.hasPrefix("*") { text.removeFirst() }
                isAnchored = text.hasPrefix("^")
                if isAnchored { text.removeFirst() }
                if text.hasSuffix("$") { text.removeLast() }
                text.removeAll { $0 == "\\" }
            }
            (self.kind, path, self.isAnchored) = (kind, text, isAnchored)
            (self.surroundings, self.directive) = (surroundings, directive)
        }

        /// Regular expressions are not evaluated: one is taken to match unless it is plainly for
        /// the other path.
        func matches(_ request: Request) -> Bool {
            guard kind == .regex else { return path == request.path }
            return switch request {
            case .wellKnown: !isAnchored || !path.hasPrefix("/" + ImportedSite.documentName)
            case .root: !path.hasPrefix("/.well-known/")
            case .other: false
            }
        }

        func answer(to request: Request) -> Answer {
            Answer(
                names: surroundings.names, request: request, content: content(request.path ?? path),
                line: directive.line)
        }

        /// nginx returns and rewrites before it looks for a handler, and for a file last.
        private func content(_ path: String) -> Answer.Content {
            let block = directive.block
            let own = block.first { ["return", "rewrite"].contains($0.name) }
            if let order = surroundings.order ?? own {
                guard order.words.count > 2, order.words[0] == "return", order.words[1] == "200"
                else { return .elsewhere(order.text) }
                if let name = NginxConfiguration.variable(in: order.words[2]) {
                    return .elsewhere("its text has a variable, \(name)")
                }
                return .text(order.words[2])
            }
            let handlers = ["proxy_pass", "fastcgi_pass", "uwsgi_pass", "grpc_pass"]
            if let handler = block.first(where: { handlers.contains($0.name ?? "") }) {
                return .elsewhere(handler.text)
            }
            let tried = block.first { $0.name == "try_files" }
            let files: [String]
            if let alias = NginxConfiguration.value("alias", block) {
                // Other names are appended to that of the file, which nobody means.
                if let tried, tried.words.dropFirst().first != "$uri" {
                    return .elsewhere(tried.text)
                }
                files = [alias]
            } else if let root = NginxConfiguration.value("root", block) ?? surroundings.root {
                // The last one is where nginx goes when no file is there; folders end in a slash.
                let names = tried.map { $0.words.dropFirst().dropLast() } ?? ["$uri"]
                let values = ["uri": path, "document_root": root]
                files = names.filter { !$0.hasSuffix("/") }.map { name in
                    let name = NginxConfiguration.expanded(name, values)
                    return root + (root.hasSuffix("/") ? name.drop { $0 == "/" } : name[...])
                }
            } else {
                return .elsewhere("it has neither root, alias nor return")
            }
            // Whether one with a variable is there, nobody can say, nor what comes after it.
            let known = files.prefix { NginxConfiguration.variable(in: $0) == nil }
            if !known.isEmpty { return .files(Array(known)) }
            return .elsewhere(
                files.first.map { "the file depends on a variable, \($0)" } ?? tried?.text ?? "")
        }
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
