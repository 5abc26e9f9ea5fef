extension HTTP2ServerSession {
    /// The values that do the work, in memory of their own.
    ///
    /// As stored properties of the class each would be guarded at run time against overlapping
    /// access: a seventh of what a request costs. No access here can overlap: a session belongs to
    /// one thread, and the parts are pure, so that no call of one comes back to the session or to
    /// nghttp2 while it lasts.
    struct Parts {
        var guardian: FloodGuard
        var streams = StreamTable()
        var fields = RequestFields()
        var scanner = HTTP2FrameScanner()
        var history = StreamHistory()
        var output = OutputBuffer()
        var requests = 0
        /// Requests whose answer was handed out whole.
        var answered = 0
        /// Requests that were reset by the peer, or for a broken rule, before that.
        var abandoned = 0
    }
}
