package import AppSiteAssociation

/// Recent requests to one authority, by type and name, to stay below its rate limits. Saved before
/// each counted request, so that a crash loop does not exceed a limit.
package struct Ledger: Sendable {
    package enum Kind: String, Sendable, Hashable, CaseIterable {
        case order, certificate, duplicate, failedValidation
    }

    /// Type and name → times, oldest first.
    private var moments: [Kind: [String: [Int64]]] = [:]

    package init() {}

    /// Counts one request.
    package mutating func add(_ kind: Kind, _ name: String = "", now: Int64, _ limits: RateLimits) {
        forget(limits, now: now)
        var list = moments[kind]?[name] ?? []
        list.append(now)
        let maximum = limit(kind, limits).count
        // Entries beyond the limit add no information.
        if list.count > maximum { list.removeFirst(list.count - maximum) }
        moments[kind, default: [:]][name] = list
    }

    /// How many requests are allowed now.
    package func left(_ kind: Kind, _ name: String = "", now: Int64, _ limits: RateLimits) -> Int {
        let limit = limit(kind, limits)
        return max(0, limit.count - recent(kind, name, now, limit).count)
    }

    /// When one more is allowed: `now` or later.
    package func allowed(
        _ kind: Kind, _ name: String = "", now: Int64, _ limits: RateLimits
    ) -> Int64 {
        let limit = limit(kind, limits)
        let recent = recent(kind, name, now, limit)
        guard recent.count >= limit.count, let first = recent.first else { return now }
        return first + limit.seconds
    }

    /// When an order is allowed.
    ///
    /// - Parameter isFree: whether it is a renewal by ARI, which the limits of certificates exempt.
    package func allowed(
        names: [String], isFree: Bool, now: Int64, _ limits: RateLimits
    ) -> Int64 {
        var moment = allowed(.order, now: now, limits)
        for name in names {
            moment = max(moment, allowed(.failedValidation, name, now: now, limits))
        }
        if isFree { return moment }
        for domain in Set(names.map(KnownAuthority.registeredDomain)) {
            moment = max(moment, allowed(.certificate, domain, now: now, limits))
        }
        return max(moment, allowed(.duplicate, Self.set(names), now: now, limits))
    }

    package mutating func addCertificate(names: [String], now: Int64, _ limits: RateLimits) {
        for domain in Set(names.map(KnownAuthority.registeredDomain)) {
            add(.certificate, domain, now: now, limits)
        }
        add(.duplicate, Self.set(names), now: now, limits)
    }

    private static func set(_ names: [String]) -> String { names.sorted().joined(separator: ",") }

    private func limit(_ kind: Kind, _ limits: RateLimits) -> RateLimits.Limit {
        switch kind {
        case .order: limits.orders
        case .certificate: limits.certificatesPerDomain
        case .duplicate: limits.duplicates
        case .failedValidation: limits.failedValidations
        }
    }

    /// The entries that count at `now`. Entries in the future come from a clock that was set back
    /// since: they count as one entry at `now`, and expire in time.
    private func recent(
        _ kind: Kind, _ name: String, _ now: Int64, _ limit: RateLimits.Limit
    ) -> [Int64] {
        (moments[kind]?[name] ?? []).map { min($0, now) }.filter { now - $0 < limit.seconds }
    }

    private mutating func forget(_ limits: RateLimits, now: Int64) {
        for kind in Kind.allCases {
            let limit = limit(kind, limits)
            for name in moments[kind]?.keys.sorted() ?? [] {
                let kept = recent(kind, name, now, limit)
                moments[kind]?[name] = kept.isEmpty ? nil : kept
            }
        }
    }

    package var json: JSONValue {
        .object(
            moments.sorted { $0.key.rawValue < $1.key.rawValue }.map { kind, names in
                (
                    kind.rawValue,
                    .object(
                        names.sorted { $0.key < $1.key }.map { name, list in
                            (name, .list(list.map { .integer(Int($0)) }))
                        })
                )
            })
    }

    /// Invalid entries are skipped: a lost ledger starts empty.
    package init(_ value: JSONValue) {
        for kind in Kind.allCases {
            for member in value[kind.rawValue]?.members ?? [] {
                let list = (member.value.array ?? []).compactMap(\.integer)
                moments[kind, default: [:]][member.key] = list
            }
        }
    }
}
