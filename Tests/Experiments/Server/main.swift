import Glibc
import Reactor

do {
    try ExperimentServer(Array(CommandLine.arguments.dropFirst())).serve()
} catch {
    StandardStream.error.write(Array((error.lines.joined(separator: "\n") + "\n").utf8))
    exit(3)
}
