package import AppSiteAssociation
import OpenSSL

/// Recent requests to one authority, by type and name, to stay below its rate limits. Saved before
/// each counted request, so that a crash loop does not exceed a limit.
package struct Ledger: Sendable {
    package enum Kind: String, Sendable, Hashable, CaseIterable {
        case order, certificate, duplicate, failedValidation
    }

    /// Type and name → times, oldest first. The name of a set of names is its hash.
    private var moments: [Kind: [String: [Int64]]] = [:]

    /// Bytes of a type's entries. The longest list, 24,000 times of one domain, fits; all types
    /// together stay below what etcd takes in one request, and what a reader of the file takes.
    static let kindBytesMaximum = 300_000

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
        shorten(kind)
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

    /// A hash, as one certificate may have a hundred names.
    private static func set(_ names: [String]) -> String {
        hash(names.sorted().joined(separator: ","))
    }

    private static func hash(_ set: String) -> String { hexadecimal(sha256(Array(set.utf8))) }

    /// Former versions wrote the names of a set. No list of host names is as long without a dot or
    /// a comma, as a label has at most 63 bytes.
    private static func isHash(_ key: String) -> Bool {
        key.utf8.count == 64 && key.allSatisfy(\.isHexDigit)
    }

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

    /// Forgets the names that were counted longest ago, where there are too many. A count that is
    /// too low costs an answer of the authority's; a file that cannot be read, every order.
    private mutating func shorten(_ kind: Kind) {
        var names = moments[kind] ?? [:]
        var bytes = names.reduce(0) { $0 + Self.bytes($1.key, $1.value) }
        if bytes <= Self.kindBytesMaximum { return }
        let oldest = names.sorted {
            ($0.value.last ?? 0, $0.key) < ($1.value.last ?? 0, $1.key)
        }
        for (name, list) in oldest where bytes > Self.kindBytesMaximum {
            names[name] = nil
            bytes -= Self.bytes(name, list)
        }
        moments[kind] = names
    }

    /// In the file: `"NAME":[TIME,TIME],`.
    private static func bytes(_ name: String, _ list: [Int64]) -> Int {
        name.utf8.count + 6 + 11 * list.count
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
                let isNamed = kind == .duplicate && !Self.isHash(member.key)
                let name = isNamed ? Self.hash(member.key) : member.key
                let known = moments[kind]?[name] ?? []
                moments[kind, default: [:]][name] = (known + list).sorted()
            }
        }
    }
}
