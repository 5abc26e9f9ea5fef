/// The figures of ``ShedController``, with their reasons (overload.md sections 3 and 5.1).
package struct ShedLimits: Sendable, Equatable {
    /// How long answers under way may need to leave the machine. 5 s is right while the clients'
    /// patience may be as short as 10 s: with it no client fails at any load, where "always 200"
    /// fails 67 to 96 %.
    package var egressTimeMaximum: Duration = .seconds(5)

    /// Below this backlog the link is not the limit: eight of the greatest documents.
    package var egressBytesMinimum = 1 << 20

    /// Only answers larger than this can cause a backlog; smaller ones fit the initial window of
    /// TCP (10 segments). Small ones of one connection count together until the peer acknowledges
    /// them.
    package var largeAnswerBytes = 14 * 1024

    /// The backlog is measured this often while there is one: asking 10,000 sockets takes 3 ms.
    package var samplePeriod: Duration = .milliseconds(200)

    /// An older measurement says nothing: after five periods the process was kept from running, but
    /// the link was not.
    package var sampleAgeMaximum: Duration { samplePeriod * 5 }

    /// So many of the last answers tell whether answers are slow, and so many at least have to be
    /// known: some readers that read slowly on purpose must not cause 503 for others, whose answers
    /// leave fast.
    package var votesLooked = 64
    package var votesMinimum = 8

    /// An answer under way for longer than this is slow: an eighth of ``egressTimeMaximum``. All
    /// that is accepted before this is known has to fit the patience of a client: at ten times the
    /// rate of the link, 0.8 s (a sample included) are 8 s of the link.
    package var slowAnswerTime: Duration { egressTimeMaximum / 8 }

    /// An answer is early if it arrived so many times sooner than an equal share of the link would
    /// have allowed. Links are not shared in equal parts, as near clients get more than far ones:
    /// 10 ms and 150 ms away are 15 times.
    package var earlyFactor = 16.0

    /// The link is not full while one of so many answers arrives early, of as many as are
    /// remembered: readers that take a little now and then delay only their own answers. Where the
    /// link is believed to be full, each early answer lets as many others through.
    package var earlyShare = 64
    package var votesMaximum = 512
    package var passesMaximum = 64.0

    /// Answers of one worker that are let through a link that is believed to be full, one each
    /// second and so many at once, to see whether they come early. 120 KB a second: on a link of 10
    /// Mbit/s a tenth.
    package var passesByTime = 4.0

    /// A reader whose window is closed and that has taken nothing for so long does not read: on a
    /// full link each answer progresses several times a second.
    package var stallTolerated: Duration = .seconds(1)

    /// At this age it is known whether the link carries an answer: one sample after
    /// `stallTolerated`.
    package var travelsKnown: Duration { stallTolerated + samplePeriod }

    /// Readers that do not read, per worker. Above it, the one that has not read for longest gives
    /// way. 1,024 times what the kernel holds for one, 384 KB, are 393 MB.
    package var stalledReadersMaximum = 1024

    /// How long a request for a large document may have waited on a connection that already had an
    /// answer: a front that pools connections. There the handshake is no longer the main cost of an
    /// answer: 120 KB take seven times the processor time of a 503. After more than 1 s (18,000
    /// answers of 120 KB are ahead of it) the front would give up before the answer.
    package var requestAgeMaximum: Duration = .seconds(1)

    /// Requests per second of one worker that are exempt from shedding because they say that they
    /// are Apple's crawler. Any client can say so, so the exemption is a token bucket of this size:
    /// the crawler asks each host a few times a day, 10,000 hosts are below 1 per second, and 10
    /// documents of 128 KiB per second are 1.3 MB/s. Without a token such a request counts as any
    /// other.
    package var crawlerAnswersPerSecond = 10.0

    /// At most this share of the operator's budget goes to such requests ahead of others.
    package var crawlerBudgetShare = 0.2

    /// The operator's budget: documents per second of one worker; `nil`: no bound.
    package var answersPerSecond: Double?

    package init() {}
}
