import CNGHTTP2

/// What all HTTP/2 sessions of a worker share: limits, nghttp2's options and callbacks.
package final class HTTP2ServerSettings: HTTP2Settings {
    package let limits: FloodLimits
    /// Outlives the sessions, as each of them retains the settings.
    let blocks = HTTP2BlockPool()

    package init(limits: FloodLimits = FloodLimits()) throws(HTTP2Error) {
        self.limits = limits
        try super.init()
        setOptions()
        HTTP2ServerCallbacks.install(in: callbacks)
    }

    private func setOptions() {
        nghttp2_option_set_max_outbound_ack(options, clamped(limits.acknowledgements))
        nghttp2_option_set_max_settings(options, clamped(limits.settingsEntries))
        // FloodGuard counts first and names the close reason; nghttp2's limits are the second line.
        // nghttp2 counts a CONTINUATION again for each piece of its 9-octet header.
        _ = CNGHTTP2_option_set_max_continuations(
            options, (clamped(limits.continuations) + 1) * HTTP2FrameHead.byteCount)
        // nghttp2's own limit of resets (1,000 and 33 per second) is not raised by answers, and
        // ends the connection although answers are under way.
        _ = CNGHTTP2_option_set_stream_reset_rate_limit(options, 1 << 40, 1 << 40)
    }

    private func clamped(_ limit: Int) -> Int { min(max(limit, 1), 1 << 20) }

    /// The SETTINGS frame that opens the connection.
    ///
    /// `SETTINGS_NO_RFC7540_PRIORITIES` (RFC 9218 §2.1) disables the priority tree: it is an attack
    /// surface without a benefit for these answers.
    func withInitialSettings<Result>(
        _ body: (UnsafePointer<nghttp2_settings_entry>, Int) -> Result
    ) -> Result {
        withUnsafeTemporaryAllocation(of: nghttp2_settings_entry.self, capacity: 3) { entries in
            _ = entries.initialize(from: [
                nghttp2_settings_entry(
                    settings_id: Int32(NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS.rawValue),
                    value: UInt32(clamped(limits.concurrentStreams))),
                nghttp2_settings_entry(
                    settings_id: Int32(NGHTTP2_SETTINGS_MAX_HEADER_LIST_SIZE.rawValue),
                    value: UInt32(clamped(limits.headerListBytes))),
                nghttp2_settings_entry(
                    settings_id: Int32(NGHTTP2_SETTINGS_NO_RFC7540_PRIORITIES.rawValue), value: 1),
            ])
            guard let base = entries.baseAddress else { preconditionFailure("three entries") }
            return body(UnsafePointer(base), entries.count)
        }
    }
}
