// Package quota says of every Quota whether it counts, what its team uses, and whether more is guaranteed than there is.
package quota
