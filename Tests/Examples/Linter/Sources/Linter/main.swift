import AppSiteAssociation
import Foundation

// linter FILE…: what is wrong in association documents, one line per finding.
let files = CommandLine.arguments.dropFirst().map { URL(fileURLWithPath: $0) }
let findings = try files.flatMap { Linter.lint(try SourceText(contentsOf: $0)) }
for finding in findings { print(finding) }
exit(findings.contains { $0.severity == .error } ? 1 : 0)
