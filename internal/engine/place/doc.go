// Package place searches the best slot for a gang in one pool (rule P8).
//
// A slot says how many pods of which role go to which node. It is feasible when every node has room for what is put
// there, and when groups are whole. A group of size s at a level is whole if and only if every domain of that level
// holds a multiple of s of the role's pods: ranks follow the tree, sizes divide one another, so blocks of s ranks never
// straddle two domains. Groups are therefore divisibility constraints, and counting is all that is needed.
//
// What makes one slot better than another (see words.go) is a list of numbers of which each is a sum over nodes and
// domains, compared one after the other. Such sums can be minimised bottom-up: for every domain a table holds, for
// every count of pods of each role, the least numbers with which the domain takes exactly these pods; the table of a
// domain is merged from those of its children (dp.go). The search goes through the levels from the node outwards, and
// in a level through the domains in the order of what they could achieve at best (candidates.go), so that few tables are
// made. For gangs of one role, counts alone decide what fits, and bound which children take part and with how many pods
// (single.go): this makes the search exact for gangs of any size. Gangs of several roles whose tables would be too large
// are placed greedily (greedy.go); only there may the search miss a slot, and it says so.
//
// The package knows no state: the same request on the same room gives the same slot.
package place
