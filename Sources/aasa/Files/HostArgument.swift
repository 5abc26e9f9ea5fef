import AASAServer
import ArgumentParser

/// The name of a host as people give it on the command line.
enum HostArgument {
    /// In the form in which certificates and folders hold it: lower case, ASCII, and without the
    /// full stop that only DNS writes behind it.
    ///
    /// - Throws: `ValidationError` when it is not a host name: an address, a URL, a wildcard.
    static func name(_ text: String, _ option: String) throws -> String {
        let name = HostName.corrected(text)
        if let problem = HostName.problem(of: name) {
            throw ValidationError("\(option) \(text): \(problem.message). \(problem.remedy)")
        }
        return name
    }
}
