import Glibc
import Reactor
import TestSupport

@testable import AASAServer

/// A control socket in a folder of the suite's own, and questions to it.
protocol ControlSuite {
    var folder: TemporaryFolder { get }
}

extension ControlSuite {
    var run: RunFolder { RunFolder(path: folder.path) }
    var path: String { run.socket(of: getpid()) }

    func server(
        _ perform: @escaping @Sendable (ControlRequest, @escaping ControlServer.Answer) -> Void
    ) throws -> ControlServer {
        try ControlServer(path: path, perform: perform)
    }

    func ask(_ request: ControlRequest, seconds: Int = 30) throws -> ControlReply {
        try ControlClient.ask(path, request, process: getpid(), seconds: seconds)
    }
}
