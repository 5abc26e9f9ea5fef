import TestSupport
import Testing

/// Each group reads its options from the command line and from the environment.
@Suite struct ServeOptionGroupsTests {
    @Test(arguments: [
        ("--admin", "AASA_ADMIN", "nowhere"), ("--workers", "AASA_WORKERS", "0"),
        ("--log-level", "AASA_LOG_LEVEL", "loud"), ("--drain", "AASA_DRAIN", "-1"),
        ("--budget", "AASA_BUDGET", "0"), ("--access-log-rate", "AASA_ACCESS_LOG_RATE", "0"),
    ])
    func readsBoth(option: String, variable: String, value: String) throws {
        let byOption = try Tool.aasa(["serve", option, value])
        #expect(byOption.status == 2 && byOption.stderr.contains("\(option) \"\(value)\""))
        let byVariable = try Tool.aasa(["serve"], environment: [variable: value])
        #expect(byVariable.status == 2 && byVariable.stderr.contains(variable), "\(byVariable)")
    }

    /// What is rarely needed is not on the first page, and on the second one.
    @Test func rareOptionsAreOnTheSecondPage() throws {
        let first = try Tool.aasa(["serve", "--help"]).stdout
        let second = try Tool.aasa(["serve", "--help-hidden"]).stdout
        for option in ["--budget", "--log-level", "--admin-token-file", "--pid-file", "--hsts"] {
            #expect(!first.contains("  \(option)") && second.contains("  \(option)"), "\(option)")
        }
        for option in ["--site", "--listen", "--admin", "--drain", "--acme", "--fleet"] {
            #expect(first.contains("  \(option)") && second.contains("  \(option)"), "\(option)")
        }
        #expect(first.contains("aasa serve --help-hidden"))
    }
}
