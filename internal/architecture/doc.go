// Package architecture holds nothing but tests: they keep the shape of the repository that docs/architecture.md draws.
// Arrows of import point down, the engine is made of the standard library alone and knows neither clock nor chance,
// every package says what it is for, and no file outgrows its idea.
//
// The linter holds the same arrows (.golangci.yml); these tests need nothing but Go.
package architecture
