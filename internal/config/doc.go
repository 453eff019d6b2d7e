// Package config is the manager's configuration file: one YAML document, read strictly, with a default for every field
// and a message for every mistake that names the field, the value and what would be right.
package config
