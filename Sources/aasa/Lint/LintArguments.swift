public import AppSiteAssociation
public import ArgumentParser

// Values of the library as options of the command line: conformances of public types are public,
// and so must be what they name.

extension LintReport.Format: ExpressibleByArgument {}
extension Severity: ExpressibleByArgument {
    public init?(argument: String) { self.init(parsing: argument) }
}
