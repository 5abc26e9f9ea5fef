import AppSiteAssociation
import Glibc
import HTTP
import Reactor
import TestSupport
import Testing

@testable import AASAServer

/// A control socket in a folder of the suite's own, and questions to it.
protocol ControlSuite {
    var folder: TemporaryFolder { get }
}

extension ControlSuite {
    var run: RunFolder { RunFolder(path: folder.path) }
    var path: String { run.socket(of: getpid()) }

    func server(_ service: any AuxiliaryService = Replies()) throws -> AuxiliaryServer {
        try AuxiliaryServer(path: path, service)
    }

    func ask(_ request: ControlRequest, seconds: Int = 30) throws -> ControlReply {
        try ControlClient.ask(path, request, process: getpid(), seconds: seconds)
    }
}

/// Answers every request with the same reply.
struct Replies: AuxiliaryService {
    var reply = ControlReply(.good)

    mutating func answer(_ request: RequestView) -> AuxiliaryAnswer {
        let response = AuxiliaryResponse(200, type: "application/json", reply.line)
        return .message(response.serialized(headOnly: false), isLast: true)
    }
}
