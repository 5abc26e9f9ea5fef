/// Where a rule does not hold, and why. An entry without a good reason is a bug.
enum Exceptions {
    /// Files of more than 400 lines: path → reason.
    static let longFiles: [String: String] = [:]

    /// Source files without a test of their own: path → reason.
    static let untested: [String: String] = [
        "Sources/AppSiteAssociation/Matcher/FoundationURL.swift":
            "compiled with its trait alone; Tests/Examples/run builds and runs it",
        "Sources/aasa/AASA.swift": "the list of commands: every test of a command runs it",
        "Sources/aasa/ExitCode.swift": "exit statuses are checked by the test of each command",
    ]

    /// `package` declarations that only tests name: `path name` → reason.
    static let calledByTests: [String: String] = [
        "Sources/AASAServer/Serving/Worker+Observation.swift connectionCount":
            "the laws of the simulation read it",
        "Sources/AASAServer/Serving/Worker+Observation.swift hasSession":
            "the laws of the simulation read it",
        "Sources/AASAServer/Serving/Worker+Observation.swift helloGivesWay":
            "the laws of the simulation read it",
        "Sources/AASAServer/Serving/Worker+Observation.swift stalledCount":
            "the laws of the simulation read it",
        "Sources/AASAServer/Serving/Worker+Observation.swift unsentBytes":
            "the laws of the simulation read it",
        "Sources/OpenSSL/TLSContext.swift simulate": "simulations are tests",
        "Sources/OpenSSL/TLSSession.swift updateKeys": "an attack that tests carry out",
        "Sources/Reactor/FaultInjection.swift isPending": "faults are for tests",
        "Sources/Reactor/FaultInjection.swift disarm": "faults are for tests",
        "Sources/Reactor/FaultInjection.swift putBack": "old defects are for tests",
        "Sources/Reactor/SimulatedKernel.swift simulate": "simulations are tests",
    ]

    /// Where `joined(separator: "\n")` is right: path → reason.
    static let joinedData: [String: String] = [
        "Sources/AASAServer/Process/ServiceNotifier.swift": "systemd's protocol, not for people",
        "Sources/AASAStorm/Report/StormReport+HTML.swift": "HTML, escaped",
        "Sources/AppSiteAssociation/InertText.swift": "it is the function",
        "Sources/AppSiteAssociation/Linter/Rules/EntitlementListRules.swift": "an example",
        "Sources/aasa/Check/CheckCommand.swift": "joins reports that are inert already",
        "Sources/aasa/DeviceCommand.swift": "joins reports that are inert already",
        "Sources/aasa/Lint/LintCommand.swift": "the linter's own examples",
        "Sources/aasa/App/AppListing.swift": "joins rows that are inert already",
        "Sources/aasa/Lint/LintFix.swift": "a diff keeps its tabulators",
        "Sources/aasa/Match/MatchReport.swift": "joins reports that are inert already",
    ]

    /// Imports beyond the table: `path module` → reason.
    static let imports: [String: String] = [
        "Sources/AASAStorm/Load/ArrivalSchedule.swift Glibc": "erf: mathematics",
        "Sources/AppSiteAssociation/Matcher/FoundationURL.swift FoundationEssentials":
            "behind the trait FoundationURL alone",
        "Sources/HTTP/Octet.swift Glibc": "memchr: no kernel, only bytes",
    ]

    /// Every path that an entry names.
    static var paths: Set<String> {
        Set(longFiles.keys).union(untested.keys).union(joinedData.keys)
            .union(calledByTests.keys.map { String($0.prefix { $0 != " " }) })
            .union(imports.keys.map { String($0.prefix { $0 != " " }) })
    }
}
