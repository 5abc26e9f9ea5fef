import TestSupport

@testable import Reactor

extension LocalConnection {
    /// Why nobody is reached at the path; nil where somebody is.
    static func failure(to path: String, within seconds: Int = 30) -> SystemError? {
        do throws(SystemError) {
            _ = try LocalConnection(to: path, within: seconds)
            return nil
        } catch { return error }
    }

    /// Whether the closed listener at the path is gone. A program that another test of this process
    /// starts holds it between fork and exec, and connections are taken until then.
    static func isGone(listenerAt path: String) -> Bool {
        eventually { failure(to: path, within: 1)?.isRefused == true }
    }
}
