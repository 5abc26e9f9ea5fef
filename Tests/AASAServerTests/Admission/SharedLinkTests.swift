// Covers: LinkLoad.swift
import AASAStorm
import Reactor
import TestSupport
import Testing

@testable import AASAServer

/// The shedding of a server behind a link that is too narrow: it sheds as much as the link cannot
/// carry, and not more (`aasa storm plan` says the same by arithmetic).
@Suite struct SharedLinkTests {
    /// At k times what the link carries, 1/k of the clients get the document; within five points,
    /// and within the patience of a client that waits for ten seconds.
    @Test(arguments: [1.2, 1.5, 2.0, 3.0, 5.0], [12.0, 30.0])
    func asManyAreAnsweredAsTheLinkCarries(load: Double, documentsPerSecond: Double) {
        asManyAreAnswered(ModelLink(documentsPerSecond: documentsPerSecond), load)
    }

    /// Also behind a proxy, where each answer begins with a closed window.
    @Test(arguments: [1.2, 1.5, 2.0, 3.0, 5.0], [12.0, 30.0])
    func asManyAreAnsweredAsAProxyCarries(load: Double, documentsPerSecond: Double) {
        asManyAreAnswered(ModelLink(documentsPerSecond: documentsPerSecond, isProxied: true), load)
    }

    private func asManyAreAnswered(_ shared: consuming ModelLink, _ load: Double) {
        var link = shared
        let carried =
            link.bytesPerSecond / (ModelLink.documentBytes + StormPlan.handshakeBytes)
        link.surge(requestsPerSecond: load * carried, seconds: 60)
        expectEqual(link.answered + link.unavailable, link.asked)
        let percent = 100 * Double(link.answered) / Double(link.asked)
        #expect(abs(percent - 100 / load) <= 5, "\(percent) % of \(100 / load) %")
        #expect(link.slowest <= 10)
    }

    /// Short surges too, where what is under way at their end counts: as many get the document as
    /// the plan says, within six points.
    @Test(arguments: [1.5, 2.0, 3.0, 5.0], [10.0, 20.0, 60.0])
    func asManyAreAnsweredAsThePlanSays(load: Double, seconds: Double) {
        var link = ModelLink(documentsPerSecond: 30)
        link.surge(requestsPerSecond: load * 30, seconds: seconds)
        let plan = StormPlan(
            handshakesPerSecond: 3000, linkBitsPerSecond: link.bytesPerSecond * 8,
            documentBytes: ModelLink.documentBytes, devices: Double(link.asked),
            surgeSeconds: seconds, patienceSeconds: 10)
        let percent = 100 * Double(link.answered) / Double(link.asked)
        let planned = 100 * plan.associated / plan.devices
        #expect(abs(percent - planned) <= 6, "\(percent) % of \(planned) %")
    }

    /// The plan's figures are the server's.
    @Test func thePlanKnowsTheServersLimits() {
        let limits = ShedLimits()
        expectEqual(limits.egressTimeMaximum.inSeconds, StormPlan.fullLinkAnswerSeconds)
        expectEqual(Double(limits.largeAnswerBytes), StormPlan.shedDocumentBytes)
    }

    @Test func aLinkThatCarriesAllShedsNothing() {
        var link = ModelLink(documentsPerSecond: 30)
        link.surge(requestsPerSecond: 28, seconds: 20)
        expectEqual(link.unavailable, 0)
    }
}
