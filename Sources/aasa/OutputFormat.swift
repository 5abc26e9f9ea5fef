import ArgumentParser

/// How a command answers: for people or for machines.
enum OutputFormat: String, ExpressibleByArgument, CaseIterable { case text, json }
