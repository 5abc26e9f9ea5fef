let scriptRules = [
    Rule(
        name: "scripts stop at the first error",
        why: "a script that goes on after a failure reports success for work not done"
    ) { tree in
        scripts(tree).flatMap { file -> [Finding] in
            var found: [Finding] = []
            if !file.isExecutable {
                found.append(Finding(path: file.path, message: "a script that is not executable"))
            }
            let isBash = file.interpreter?.hasSuffix("bash") ?? false
            let isShell = file.interpreter?.hasSuffix("sh") ?? false
            if isBash && !file.lines.contains("set -euo pipefail") {
                found.append(Finding(path: file.path, message: "no 'set -euo pipefail'"))
            } else if isShell && !isBash && !file.lines.contains("set -eu") {
                found.append(Finding(path: file.path, message: "no 'set -eu'"))
            }
            return found
        }
    },
    Rule(
        name: "processes are ended by their number",
        why: "pkill and killall end what other people started"
    ) { tree in
        let broad = ["pkill", "killall"]
        return scripts(tree).flatMap { file in
            file.lines.enumerated().compactMap { index, line in
                let code = String(line.prefix { $0 != "#" })
                return broad.first { containsWord($0, in: code) }.map {
                    Finding(path: file.path, line: index + 1, message: "\($0) is not used")
                }
            }
        }
    },
]

private func scripts(_ tree: SourceTree) -> [SourceTree.File] {
    tree.files.filter { $0.interpreter != nil && !$0.isFixture && !$0.isSwift }
}
