// Package presets knows by which node labels vendors tell where a node stands, so that a pool can name a vendor in place
// of its levels.
package presets
