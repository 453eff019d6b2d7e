// Package team says of every Team which namespaces it has, how many gangs, what it uses, and whether it stands.
package team
