# groups.g: permutation groups, integers and lists in GAP.
g := Group((1,2,3,4,5,6,7,8,9,10,11), (3,7,11,8)(4,10,5,6));;
Print(Size(g), " ", Length(ConjugacyClasses(g)), "\n");
r := Group((1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23), (3,17,10,7,9)(4,13,14,19,5)(8,18,11,12,23)(15,20,22,21,16));;
Print(Size(r), " ", Size(SylowSubgroup(r, 2)), "\n");
s := SymmetricGroup(7);;
Print(Sum(List(ConjugacyClasses(s), c -> Size(c) * Order(Representative(c)))), "\n");
Print(Length(Filtered([1..20000], n -> IsPrimeInt(n * n + 1))), "\n");
Print(Sum(List([1..3000], n -> Length(FactorsInt(n * n * n + 7)))), "\n");
Print(Length(Set(List(s, p -> OrbitLengths(Group(p), [1..7])))), "\n");
Print(NrPartitions(2000) mod 1000003, "\n");
