import TestSupport
import Testing

@testable import OpenSSL

/// Which key share a server uses: raw ClientHellos, as clients send shares in any order, and
/// OpenSSL's client before 3.5 sends only one.
@Suite struct KeyExchangeTests {
    enum Group: UInt16, CaseIterable {
        case x25519 = 29
        case p256 = 23
        case hybrid = 0x11EC

        /// A valid key of no one: both base points; encoded polynomials that are zero.
        var share: [UInt8] {
            let basePoint = [9] + [UInt8](repeating: 0, count: 31)
            switch self {
            case .x25519: return basePoint
            case .hybrid: return [UInt8](repeating: 0, count: 1184) + basePoint
            case .p256:
                let x = "6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296"
                let y = "4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5"
                let digits = Array((x + y).utf8).map {
                    UInt8(Character(UnicodeScalar($0)).hexDigitValue ?? 0)
                }
                return [4]
                    + stride(from: 0, to: digits.count, by: 2).map {
                        digits[$0] << 4 | digits[$0 + 1]
                    }
            }
        }
    }

    private func answer(
        _ groups: [Group], shares: [Group], prefersPostQuantum: Bool = false
    ) throws -> RawServerHello? {
        var settings = TLSPairing.settings()
        settings.prefersPostQuantum = prefersPostQuantum
        let pair = try TLSPairing(server: settings, client: TLSPairing.reporting)
        pair.toServer =
            RawClientHello(
                groups: groups.map(\.rawValue), shares: shares.map { ($0.rawValue, $0.share) }
            ).records
        _ = pair.onServer { pair.server.handshake($0) }
        return RawServerHello(pair.toClient)
    }

    /// Every order of every choice of the elements.
    private static func arrangements(_ elements: [Group]) -> [[Group]] {
        [[]]
            + elements.flatMap { first in
                arrangements(elements.filter { $0 != first }).map { [first] + $0 }
            }
    }

    private static let cases = arrangements(Group.allCases).flatMap { groups in
        // A client's shares are for groups that it lists, in the same order (RFC 8446 section
        // 4.2.8).
        (0..<1 << groups.count).map { mask in
            (groups, groups.indices.filter { mask & 1 << $0 != 0 }.map { groups[$0] })
        }
    }

    /// The group that a server may use of those that a client names.
    private static func usable(_ groups: [Group]) -> [Group] {
        TLSLibrary.hasHybridGroup ? groups : groups.filter { $0 != .hybrid }
    }

    @Test func `X25519 is used if there is a share, the hybrid if there is no other`() throws {
        for (groups, shares) in Self.cases where !Self.usable(groups).isEmpty {
            let hello = try #require(try answer(groups, shares: shares), "\(groups) \(shares)")
            let usable = Self.usable(shares)
            expectEqual(hello.isRetry, usable.isEmpty, "\(groups) \(shares)")
            let group = try #require(hello.group.flatMap(Group.init(rawValue:)))
            if usable.isEmpty {
                #expect(Self.usable(groups).contains(group))
            } else if TLSLibrary.hasHybridGroup {
                let best = [Group.x25519, .p256, .hybrid].first(where: usable.contains)
                expectEqual(group, best, "\(groups) \(shares)")
            } else {
                // OpenSSL before 3.5 uses the first share that it can.
                expectEqual(group, usable[0], "\(groups) \(shares)")
            }
        }
    }

    @Test(.enabled(if: TLSLibrary.hasHybridGroup))
    func `A policy can prefer the hybrid, without a further round trip`() throws {
        for (groups, shares) in Self.cases where !groups.isEmpty {
            let hello = try #require(
                try answer(groups, shares: shares, prefersPostQuantum: true),
                "\(groups) \(shares)")
            expectEqual(hello.isRetry, shares.isEmpty, "\(groups) \(shares)")
            let best = [Group.hybrid, .x25519, .p256].first(
                where: (shares.isEmpty ? groups : shares).contains)
            expectEqual(hello.group, best?.rawValue, "\(groups) \(shares)")
        }
    }

    @Test(.enabled(if: !TLSLibrary.hasHybridGroup))
    func `A library without the hybrid cannot prefer it`() throws {
        let error = #expect(throws: OpenSSLError.self) {
            try answer([.x25519], shares: [.x25519], prefersPostQuantum: true)
        }
        expectEqual(error?.remedy?.contains("OpenSSL 3.5"), true)
    }
}
