import Reactor

extension DeviceOutcome {
    /// The outcome of a socket error for a device; a lack of resources on this machine is separate.
    init(_ error: SystemError) {
        self =
            if error.isRefused {
                .failed(.refused)
            } else if error.isReset {
                .failed(.reset)
            } else if error.isTimeout {
                .failed(.timedOut)
            } else if error.isOutOfResources {
                .failed(.generator)
            } else {
                .failed(.cut)
            }
    }
}
