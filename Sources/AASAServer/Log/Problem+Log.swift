package import Logging
package import Reactor

extension Problem {
    /// The remedy as a field of its own, separate from the line with the error.
    package var metadata: Logger.Metadata { remedy.isEmpty ? [:] : ["fix": "\(remedy)"] }
}
