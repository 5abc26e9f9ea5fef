/// What is written has to be used.
let wiringRules = [
    Rule(
        name: "what is written is called",
        why: "a protection that only tests call protects nobody: wire it or delete it"
    ) { tree in
        let files = tree.files.filter { $0.isSwift && $0.target != nil }
        var named: [Substring: Int] = [:]
        var declared: [Substring: Int] = [:]
        // `package` alone: the library's `public` declarations are for people outside.
        var declarations: [(file: SourceTree.File, line: Int, name: Substring)] = []
        for file in files {
            for (index, line) in file.swift.code.enumerated() {
                let words = names(in: line)
                for word in words { named[word, default: 0] += 1 }
                guard let name = declaredName(words) else { continue }
                declared[name, default: 0] += 1
                if words.contains("package") { declarations.append((file, index + 1, name)) }
            }
        }
        return declarations.compactMap { file, line, name in
            guard named[name, default: 0] <= declared[name, default: 0],
                Exceptions.calledByTests["\(file.path) \(name)"] == nil
            else { return nil }
            return Finding(path: file.path, line: line, message: "\(name) is named nowhere else")
        }
    }
]

/// The name that a line of code declares.
private func declaredName(_ words: [Substring]) -> Substring? {
    let kinds: Set<Substring> = [
        "func", "var", "let", "struct", "class", "enum", "protocol", "typealias",
    ]
    guard let kind = words.firstIndex(where: kinds.contains), kind + 1 < words.count else {
        return nil
    }
    return words[kind + 1]
}

/// The names and keywords of a line. Over bytes, as every line of the house comes through here.
private func names(in line: String) -> [Substring] {
    var found: [Substring] = []
    let bytes = line.utf8
    var start: String.Index?
    for index in bytes.indices {
        switch bytes[index] {
        case 0x30...0x39, 0x41...0x5A, 0x5F, 0x61...0x7A, 0x80...: start = start ?? index
        default:
            if let from = start { found.append(line[from..<index]) }
            start = nil
        }
    }
    if let from = start { found.append(line[from...]) }
    return found
}
