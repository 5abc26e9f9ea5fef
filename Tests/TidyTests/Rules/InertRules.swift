/// What files and peers wrote must not act when it is shown.
let inertRules = [
    Rule(
        name: "commands write through Terminal",
        why: "text of files and peers is made inert there"
    ) { tree in
        let files = tree.files.filter {
            $0.target == "aasa" && $0.isSwift && $0.name != "ExitCode.swift"
        }
        return findings(in: files) { line in
            let ways = ["print(", "fputs(", "puts(", "debugPrint(", "Glibc.write(", "fwrite("]
            let rest = line.replacing("Terminal.print(", with: "")
                .replacing(".print(", with: "").replacing("func print(", with: "")
            return ways.first { containsWord($0, in: rest) }.map { "\($0) passes by Terminal" }
        }
    },
    Rule(
        name: "lines of a report are joined by InertText",
        why: "a line break that a file brought would begin a line of ours"
    ) { tree in
        tree.files.filter { $0.isSwift && $0.target != nil }.flatMap { file -> [Finding] in
            guard Exceptions.joinedData[file.path] == nil else { return [] }
            return file.lines.enumerated().compactMap { index, line in
                line.contains("joined(separator: \"\\n")
                    ? Finding(
                        path: file.path, line: index + 1,
                        message: "InertText.joined makes what the lines hold inert") : nil
            }
        }
    },
]
