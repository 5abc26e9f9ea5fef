extension HTTP2ServerSession {
    /// The values that do the work, in separately allocated memory.
    ///
    /// As stored properties of the class each would be checked at run time for exclusive access: a
    /// seventh of the cost of a request. Accesses here cannot overlap: a session belongs to one
    /// thread, and the parts are pure, so that no call of one calls the session or nghttp2.
    struct Parts {
        var guardian: FloodGuard
        var streams = StreamTable()
        var fields = RequestFields()
        var scanner = HTTP2FrameScanner()
        var history = StreamHistory()
        var output = OutputBuffer()
        var requests = 0
        /// Requests whose answer was sent completely.
        var answered = 0
        /// Requests that the peer, or a violation, reset before that.
        var abandoned = 0
    }
}
