import AppSiteAssociation

extension StormDemo {
    /// For people: the verdict first, then each storm with aasa and with the plain queue.
    package var text: String {
        var lines = [verdict]
        for (index, act) in acts.enumerated() {
            lines += ["", "\(index + 1). \(act.shortage.title): \(act.setting)"]
            lines.append(
                Column.left("", 28) + Column.right("aasa", 10) + Column.right("plain queue", 16))
            for row in act.rows {
                lines.append(
                    Column.left("   " + row.name, 28)
                        + Column.right(Percent.text(row.aasa, of: act.aasa.devices), 10)
                        + Column.right(Percent.text(row.plain, of: act.plain.devices), 16))
            }
            lines.append(
                Column.left("   90 % of the 200 after", 28)
                    + Column.right(act.aasa.ninetieth, 10)
                    + Column.right(act.plain.ninetieth, 16))
            lines.append("   \(act.shortage.lesson)")
            lines.append("   plain queue: \(act.shortage.plainQueue)")
            if act.aasa.generatorWasTheLimit || act.plain.generatorWasTheLimit {
                lines.append("   The generator was late with devices: this machine was busy.")
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// For machines: one JSON object.
    package var json: String {
        let object = JSONValue.object([
            ("asExpected", .flag(isAsExpected)), ("verdict", .text(verdict)),
            (
                "storms",
                .list(
                    acts.map { act in
                        .object([
                            ("short", .text(act.shortage.rawValue)),
                            ("capacityPerSecond", .integer(Int(act.capacity.rounded()))),
                            ("asExpected", .flag(act.isAsExpected)),
                            ("aasa", act.aasa.counts), ("plainQueue", act.plain.counts),
                        ])
                    })
            ),
        ])
        return String(decoding: JSONWriter.minified(object), as: UTF8.self) + "\n"
    }
}

extension StormReport {
    fileprivate var ninetieth: String {
        associatedLatency.count == 0
            ? "–" : Decimal.duration(associatedLatency.seconds(atPercentile: 90))
    }

    fileprivate var counts: JSONValue {
        .object([
            ("devices", .integer(devices)), ("associated", .integer(associated)),
            ("willRetry", .integer(willRetry)), ("denied", .integer(denied)),
            ("failed", .integer(failed)), ("handshakes", .integer(handshakes)),
            ("generatorWasTheLimit", .flag(generatorWasTheLimit)),
        ])
    }
}
