import Reactor

extension DeviceOutcome {
    /// What an error of the socket means to a device; a lack of this machine's is told apart.
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
