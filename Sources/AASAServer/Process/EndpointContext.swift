package import Reactor

/// What an endpoint runs with besides its configuration: made once, by the command.
package struct EndpointContext: Sendable {
    package let notifier: ServiceNotifier
    package let board: StatusBoard
    /// The command line of this process, for the one that replaces it.
    package let arguments: [String]
    package let environment: [String: String]
    /// Reopens the log files; returns what went wrong.
    package var reopenLogs: @Sendable () -> [Problem] = { [] }
    /// Started and stopped by the endpoint.
    package var accessLog: AccessLog?
    /// Where the log goes, for the count of what it loses.
    package var messages: LogSink?
    /// What runs beside the endpoint.
    package var parts: [any EndpointPart] = []
    /// For what is left to do when the last connection is closed; begun by the endpoint. The caller
    /// has met it when nothing more is to be done.
    package var deadline: ShutdownDeadline?

    package init(
        notifier: ServiceNotifier, board: StatusBoard, arguments: [String],
        environment: [String: String]
    ) {
        self.notifier = notifier
        self.board = board
        self.arguments = arguments
        self.environment = environment
    }
}

/// The threads of a running endpoint.
struct EndpointThreads: Sendable {
    let server: Server
    let reloader: Reloader
    let monitor: StoppableThreads
    /// For the control loop, from the thread of the control socket.
    let orders: Mailbox<UpgradeOrder>
    var admin: AdminServer?
    var challenges: AuxiliaryServer?
    var plain: AuxiliaryServer?
    var commands: AuxiliaryServer?

    init(server: Server, reloader: Reloader) throws(SystemError) {
        self.server = server
        self.reloader = reloader
        monitor = try StoppableThreads()
        orders = try Mailbox()
    }

    /// Closes the listeners that are not the workers': they belong to the next server. The
    /// control socket stays, because commands ask a server that drains, too.
    func leave() {
        admin?.leave()
        challenges?.leave()
        plain?.leave()
    }
}
