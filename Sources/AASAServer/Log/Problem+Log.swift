package import Logging
package import Reactor

extension Problem {
    /// The remedy as a field of its own beside the line that says what is wrong.
    package var metadata: Logger.Metadata { remedy.isEmpty ? [:] : ["remedy": "\(remedy)"] }
}
