let lengthRules = [
    Rule(
        name: "files stay small",
        why: "about 100 lines is normal, over 400 needs a reason, over 600 is split"
    ) { tree in
        tree.files.filter(isCode).compactMap { file in
            let count = file.lines.count - (file.text.hasSuffix("\n") ? 1 : 0)
            if count > 600 {
                return Finding(path: file.path, message: "\(count) lines: split it (limit 600)")
            }
            if count > 400 && Exceptions.longFiles[file.path] == nil {
                return Finding(
                    path: file.path,
                    message: "\(count) lines: over 400 needs a reason in Exceptions.longFiles")
            }
            return nil
        }
    },
    Rule(
        name: "lines fit in 100 columns",
        why: "two files side by side on one screen; messages stay whole, to be searched for"
    ) { tree in
        tree.files.filter(isCode).flatMap { file in
            file.lines.enumerated().compactMap { index, line in
                guard line.utf8.count > 100, line.count > 100, !line.contains("https://"),
                    widthWithoutStrings(file, index) > 100
                else { return nil }
                return Finding(
                    path: file.path, line: index + 1, message: "\(line.count) columns (limit 100)")
            }
        }
    },
]

/// The columns of a line when its string literals are left out.
private func widthWithoutStrings(_ file: SourceTree.File, _ index: Int) -> Int {
    if file.isSwift { return file.swift.code[index].count + file.swift.comments[index].count }
    let parts = file.lines[index].split(separator: "\"", omittingEmptySubsequences: false)
    return parts.enumerated().reduce(0) { $0 + ($1.offset % 2 == 0 ? $1.element.count : 0) }
}
