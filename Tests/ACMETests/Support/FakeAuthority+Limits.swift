extension FakeAuthority {
    /// Until Let's Encrypt would take the order (https://letsencrypt.org/docs/rate-limits/): 300
    /// orders in 3 hours, 5 failed validations of a name in an hour, 50 certificates of a domain
    /// and 5 of the same names in a week, both without renewals by ARI.
    func secondsToWait(_ names: [String], _ isRenewal: Bool, _ now: Int64) -> Int64? {
        var wait: Int64 = 0
        func limit(_ times: [Int64], to count: Int, in seconds: Int64) {
            let recent = times.filter { now - $0 < seconds }
            if recent.count >= count {
                wait = max(wait, recent[recent.count - count] + seconds - now)
            }
        }
        limit(orders.map(\.begun), to: 300, in: 3 * 3600)
        for name in names {
            limit(failedValidations.filter { $0.name == name }.map(\.at), to: 5, in: 3600)
        }
        let counted = isRenewal ? [] : issued.filter { !$0.replaces }
        let domain = Self.domain(of: names)
        let week: Int64 = 7 * 86_400
        limit(
            counted.filter { Self.domain(of: $0.names) == domain }.map(\.at), to: 50, in: week)
        limit(counted.filter { $0.names == names }.map(\.at), to: 5, in: week)
        return wait > 0 ? wait : nil
    }

    /// The last two labels of the first name.
    static func domain(of names: [String]) -> String {
        (names.first ?? "").split(separator: ".").suffix(2).joined(separator: ".")
    }
}
