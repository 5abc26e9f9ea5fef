import ArgumentParser

@main
struct AASA: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "aasa",
        abstract: "The apple-app-site-association endpoint, and the tools that keep it right."
    )
}
