// Package devcontrol runs controllers inside the process of a test, against a development cluster: with the state that the
// watches feed, and with the rights that config/rbac gives the manager and no others. Controllers that sum things up are
// tested so, one concern at a time; the manager as a whole is internal/devmanager's.
package devcontrol
