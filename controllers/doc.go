// Package controllers puts the controllers together, each of which has a folder of its own for its one concern.
package controllers
