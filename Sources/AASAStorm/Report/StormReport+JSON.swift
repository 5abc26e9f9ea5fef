import AppSiteAssociation

extension StormReport {
    /// The report for machines: one JSON object; latencies in seconds.
    package var json: String {
        let object = JSONValue.object([
            ("host", .string(host)), ("address", .string(address)), ("path", .string(path)),
            ("protocol", .string(protocolName)), ("shape", .string(shape)),
            ("era", .string(eraText)),
            ("devices", .number(devices)), ("surgeSeconds", .number(surgeSeconds)),
            ("triesMaximum", .number(triesMaximum)),
            ("patienceSeconds", JSONValue(.array(patience.map { .number($0) }))),
            ("peakRate", .number(peakRate)), ("threads", .number(threads)),
            ("seconds", .number(seconds)), ("interrupted", JSONValue(.bool(interrupted))),
            ("verdict", .string(verdict)),
            ("associated", .number(associated)), ("willRetry", .number(willRetry)),
            ("denied", .number(denied)), ("failed", .number(failed)),
            ("denials", .object(denials.map { ($0.kind.rawValue, .number($0.count)) })),
            ("failures", .object(failures.map { ($0.reason.rawValue, .number($0.count)) })),
            (
                "eras",
                .object(erasInOrder.map { ($0.era.rawValue, eraObject($0.count)) })
            ),
            ("tries", .number(tries)), ("handshakes", .number(handshakes)),
            ("resumed", .number(resumed)), ("bytesReceived", .number(Int(bytesReceived))),
            (
                "statuses",
                .object(
                    statuses.sorted { $0.key < $1.key }.map { ("\($0.key)", .number($0.value)) })
            ),
            ("latency200", latency(associatedLatency)), ("latency503", latency(unavailableLatency)),
            ("generatorLag", latency(lag)), ("generatorCPUSeconds", .number(generatorCPU)),
            ("generatorWasTheLimit", JSONValue(.bool(generatorWasTheLimit))),
            ("timeline", timelineObject),
            ("part", .string(part.text)), ("stormDevices", .number(stormDevices)),
            ("seed", .string("\(seed)")),
            ("startedAtMilliseconds", .number(Int(startedAtMilliseconds))),
            ("partNotes", JSONValue(.array(partNotes.map { .string($0) }))),
            ("histograms", histograms),
            ("certificateChecked", JSONValue(.bool(checksCertificate))),
        ])
        return String(decoding: JSONWriter.minified(object), as: UTF8.self) + "\n"
    }

    private func eraObject(_ count: DeviceCount) -> JSONValue {
        .object(DeviceCount.members.map { ($0.name, .number(count[keyPath: $0.path])) })
    }

    private func latency(_ recorder: LatencyRecorder) -> JSONValue {
        .object([
            ("count", .number(Int(recorder.count))), ("mean", .number(recorder.mean)),
            ("p50", .number(recorder.seconds(atPercentile: 50))),
            ("p90", .number(recorder.seconds(atPercentile: 90))),
            ("p99", .number(recorder.seconds(atPercentile: 99))),
            ("p99.9", .number(recorder.seconds(atPercentile: 99.9))),
            ("max", .number(recorder.largest)),
        ])
    }

    /// Everything that `aasa storm merge` needs to add reports exactly: microseconds and counts.
    private var histograms: JSONValue {
        func pairs(_ recorder: LatencyRecorder) -> JSONValue {
            JSONValue(
                .array(
                    recorder.buckets.map {
                        JSONValue(
                            .array([.number(Int($0.microseconds)), .number(Int($0.count))]))
                    }))
        }
        return .object([
            ("latency200", pairs(associatedLatency)), ("latency503", pairs(unavailableLatency)),
            ("generatorLag", pairs(lag)),
        ])
    }

    /// One array per line of the plot, one element per second.
    private var timelineObject: JSONValue {
        let counts = StormTimeline.Second.members.map { name, path in
            (name, JSONValue(.array(timeline.seconds.map { .number($0[keyPath: path]) })))
        }
        return .object(
            counts + [
                ("lag", JSONValue(.array(timeline.seconds.map { .number(Double($0.lag) / 1e9) }))),
                ("waiting", JSONValue(.array(timeline.waiting.map { .number($0) }))),
            ])
    }
}

extension JSONValue {
    fileprivate static func object(_ members: [(String, JSONValue)]) -> JSONValue {
        JSONValue(.object(members.map { JSONMember(key: $0.0, value: $0.1) }))
    }
    fileprivate static func string(_ text: String) -> JSONValue { JSONValue(.string(text)) }
    fileprivate static func number(_ value: Int) -> JSONValue { JSONValue(.number("\(value)")) }
    /// Six decimals: microseconds.
    fileprivate static func number(_ value: Double) -> JSONValue {
        JSONValue(.number(value.isFinite ? Decimal.text(value, 6) : "0"))
    }
}
