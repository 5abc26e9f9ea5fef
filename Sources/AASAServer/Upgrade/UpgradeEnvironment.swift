package import Reactor

/// The hand-over from a running server to the next one by variables of the environment. Both sides
/// are in this file, so that they agree.
package enum UpgradeEnvironment {
    /// `https,https,admin`: the names of descriptors 3, 4, 5.
    static let socketsVariable = "AASA_HANDED_SOCKETS"
    /// The descriptor on which the new process reports that it serves: the one after the sockets.
    static let readinessVariable = "AASA_HANDED_READINESS"
    /// A memory file with what the predecessor serves (`KeptArchive`): the descriptor after the
    /// readiness pipe.
    static let stateVariable = "AASA_HANDED_STATE"
    /// Set if the operator allows the successor to serve less.
    static let forceVariable = "AASA_HANDED_FORCE"
    /// Set if the sockets are not a service manager's, so that they close with the last process of
    /// a chain of upgrades.
    static let ownVariable = "AASA_HANDED_OWN"

    /// The sockets that a predecessor handed over; empty if there is none.
    ///
    /// - Throws: if the variables do not belong together. ``verify(_:place:)`` checks the
    ///   descriptors themselves.
    package static func sockets(
        environment: [String: String]
    ) throws(Problem) -> [InheritedSocket] {
        guard let value = environment[socketsVariable], !value.isEmpty else { return [] }
        let sockets = value.split(separator: ",").enumerated().map { index, name in
            InheritedSocket(
                descriptor: SocketActivation.firstDescriptor + Int32(index), name: String(name),
                isOwn: environment[ownVariable] == "1")
        }
        let readiness = SocketActivation.firstDescriptor + Int32(sockets.count)
        guard environment[readinessVariable] == "\(readiness)" else {
            throw failure(
                "\(readinessVariable) is not \(readiness), the descriptor after \(sockets.count) sockets"
            )
        }
        return sockets
    }

    /// Checks each descriptor: it has to be a listening stream socket. Call this before anything
    /// else is opened, because a number that is unused now may be a file later.
    ///
    /// - Parameter place: the variable that names them.
    package static func verify(
        _ sockets: [InheritedSocket], place: String
    ) throws(Problem) {
        for socket in sockets {
            guard let problem = problem(of: socket) else { continue }
            throw failure("descriptor \(socket.descriptor) \(problem)", place: place)
        }
    }

    /// Why a descriptor cannot be listened on; nil: it can.
    private static func problem(of socket: InheritedSocket) -> String? {
        let descriptor = InheritedDescriptor(socket.descriptor)
        guard let status = descriptor.status else { return "is not open" }
        if !status.isSocket { return "is not a socket" }
        if !descriptor.isStream { return "is not a stream socket" }
        if !descriptor.isListening { return "is a socket that does not listen" }
        if !SocketActivation.isAdmin(socket), !descriptor.isInternet {
            return "does not listen on an IPv4 or IPv6 address"
        }
        return nil
    }

    private static func failure(_ cause: String, place: String = socketsVariable) -> Problem {
        Problem(
            place: place, cause: cause,
            remedy: place == socketsVariable
                ? "unset \(socketsVariable) and \(readinessVariable): only `aasa upgrade` sets them"
                : "start the .socket unit, or unset LISTEN_PID: only systemd sets it")
    }

    /// The predecessor's state; nil: there is no predecessor, or it hands over no state.
    package static func state(environment: [String: String]) -> [UInt8]? {
        guard let descriptor = environment[stateVariable].flatMap({ Int32($0) }), descriptor > 3,
            environment[readinessVariable] == "\(descriptor - 1)"
        else { return nil }
        defer { InheritedDescriptor(descriptor).close() }
        return MemoryFile.bytes(of: descriptor, maximum: KeptArchive.bytesMaximum)
    }

    /// Whether this process may serve less than its predecessor.
    package static func isForced(environment: [String: String]) -> Bool {
        environment[forceVariable] == "1"
    }

    /// Tells the predecessor why this process does not take over.
    package static func notifyFailure(_ text: String, environment: [String: String]) {
        report(Array("F\(text)".utf8.prefix(failureBytesMaximum)), environment)
    }

    /// One write to a pipe of up to so many bytes is never split (pipe(7), PIPE_BUF).
    static let failureBytesMaximum = 4096

    /// Tells the predecessor to end, and what on disk is refused, and which hosts keep an older
    /// state because of that.
    package static func notifyReady(environment: [String: String], problems: [String] = []) {
        var bytes = Array("R".utf8)
        let last = Array("and more: run aasa reload\n".utf8)
        for line in problems {
            let next = Array((line + "\n").utf8)
            if bytes.count + next.count + last.count > failureBytesMaximum {
                bytes += last
                break
            }
            bytes += next
        }
        report(bytes, environment)
    }

    /// If the descriptor with this number is not a pipe, it is not the predecessor's but one of our
    /// own.
    private static func report(_ bytes: [UInt8], _ environment: [String: String]) {
        guard let number = environment[readinessVariable].flatMap({ Int32($0) }), number > 2
        else { return }
        let pipe = InheritedDescriptor(number)
        guard pipe.status?.isFIFO == true else { return }
        pipe.write(bytes)
        pipe.close()
    }

    /// Removes the variables of a predecessor and of systemd, so that they are used only once, and
    /// by no child process.
    package static func forget() {
        let own = [socketsVariable, readinessVariable, stateVariable, forceVariable, ownVariable]
        for name in own + SocketActivation.variables { CurrentProcess.removeVariable(name) }
    }
}
