import Testing

@testable import AppSiteAssociation

@Suite struct NameNumbersTests {
    @Test func theSameNameHasTheSameNumber() {
        var numbers = NameNumbers<[UInt8]>()
        let names = ["a", "b", "", "ab", "a", "b", ""].map { Array($0.utf8) }
        #expect(names.map { numbers.number(of: $0) } == [0, 1, 2, 3, 0, 1, 2])
    }

    @Test func setsMeetWhereTheyShareANumber() {
        let lists = [[], [1], [2], [9, 1, 5], [5, 5, 2], Array(stride(from: 0, to: 400, by: 2))]
        for some in lists {
            #expect(NumberSet(some).count == Set(some).count)
            for others in lists {
                #expect(
                    NumberSet(some).meets(NumberSet(others))
                        == !Set(some).isDisjoint(with: Set(others)), "\(some) \(others)")
            }
        }
    }
}
