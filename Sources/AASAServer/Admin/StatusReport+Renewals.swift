extension StatusReport {
    /// The state of the certificates that are renewed by ACME.
    package struct Renewals: Sendable, Equatable {
        package struct Entry: Sendable, Equatable {
            /// The folder under `--certs`.
            package var host: String
            /// `ecdsa`, `rsa`.
            package var key: String
            package var names: [String] = []
            /// `good`, `due`, `waiting`, `foreign`.
            package var state: String
            package var note: String
            /// When the certificate is renewed or tried again; nil: another program renews it.
            package var next: Int64?
            /// Tries since the last success.
            package var tries = 0
            /// The authority's error, and the remedy.
            package var lastError: String?
            package var remedy: String?
            package var authority = ""

            package init(host: String, key: String, state: String, note: String) {
                self.host = host
                self.key = key
                self.state = state
                self.note = note
            }
        }

        /// How many orders an authority's limits still allow.
        package struct Budget: Sendable, Equatable {
            package let authority: String
            package let ordersLeft: Int
            package let orders: Int

            package init(authority: String, ordersLeft: Int, orders: Int) {
                self.authority = authority
                self.ordersLeft = ordersLeft
                self.orders = orders
            }
        }

        package var entries: [Entry] = []
        package var budgets: [Budget] = []
        package var succeeded = 0
        package var failed = 0
        /// Why nothing can be stored; nil: all is well.
        package var storeError: String?

        package init() {}
    }
}

extension ServerMetrics {
    /// Metrics of renewals, if this server renews certificates.
    static func renewals(_ report: StatusReport) -> [MetricFamily] {
        guard let renewals = report.renewals else { return [] }
        var next = MetricFamily(
            "aasa_acme_next_timestamp_seconds", .gauge,
            "When a certificate is renewed, or tried again after a failure.")
        var tries = MetricFamily(
            "aasa_acme_failures", .gauge, "Failed tries since a certificate was last renewed.")
        for entry in renewals.entries {
            let labels = [
                (name: "host", value: entry.host), (name: "key", value: entry.key),
            ]
            if let moment = entry.next { next.add(Double(moment), labels) }
            tries.add(Double(entry.tries), labels)
        }
        var left = MetricFamily(
            "aasa_acme_orders_left", .gauge, "Orders that an authority's limit leaves now.")
        for budget in renewals.budgets {
            left.add(Double(budget.ordersLeft), [(name: "authority", value: budget.authority)])
        }
        var orders = MetricFamily(
            "aasa_acme_orders_total", .counter, "Orders of certificates since start, by result.")
        orders.add(Double(renewals.succeeded), [(name: "result", value: "ok")])
        orders.add(Double(renewals.failed), [(name: "result", value: "failed")])
        return [next, tries, left, orders]
    }
}
