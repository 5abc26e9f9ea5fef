import Testing

@testable import AASAServer

@Suite struct ThreadOwnedTests {
    /// Says when it goes.
    private final class Witness {
        let whenGone: () -> Void
        init(_ whenGone: @escaping () -> Void) { self.whenGone = whenGone }
        deinit { whenGone() }
    }

    private final class Owner {
        @ThreadOwned var values: [Int]
        @ThreadOwned var witness: Witness?

        init(_ values: [Int], _ witness: Witness?) {
            self.values = values
            self.witness = witness
        }

        deinit {
            _values.free()
            _witness.free()
        }
    }

    @Test func changesStay() {
        let owner = Owner([1], nil)
        owner.values.append(2)
        owner.values[0] = 3
        #expect(owner.values == [3, 2])
    }

    @Test func whatIsKeptEndsWithItsOwner() {
        var ends = 0
        do {
            let owner = Owner([], Witness { ends += 1 })
            #expect(ends == 0)
            owner.witness = Witness { ends += 10 }
            #expect(ends == 1)
        }
        #expect(ends == 11)
    }
}
