import ArgumentParser

extension ArgumentHelp {
    /// Help for an option with a value, whose name the usage shows.
    static func value(_ name: String, _ text: String) -> ArgumentHelp {
        ArgumentHelp(text, valueName: name)
    }

    /// Help for a rarely needed option: `--help-hidden` and `deploy/OPTIONS.md` show it.
    static func rare(_ name: String? = nil, _ text: String) -> ArgumentHelp {
        ArgumentHelp(text, valueName: name, visibility: .hidden)
    }
}
