// Kubectl-berth is the user's command: kubectl berth explains why a gang waits, and plays scenarios of what would be.
package main
