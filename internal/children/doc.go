// Package children reads and changes the Jobs and pods of a gang on the cluster. Everything in it may be done twice.
package children
