package config

import (
	"fmt"
	"os"

	"sigs.k8s.io/yaml"
)

// Load reads the configuration file at path; without a path all is default.
func Load(path string) (*Manager, error) {
	if path == "" {
		m := &Manager{APIVersion: APIVersion, Kind: Kind}
		m.Default()
		return m, nil
	}
	raw, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("reading the configuration: %w", err)
	}
	m, err := Parse(raw)
	if err != nil {
		return nil, fmt.Errorf("configuration %s: %w", path, err)
	}
	return m, nil
}

// Parse reads a configuration document. Unknown and repeated fields are mistakes.
func Parse(raw []byte) (*Manager, error) {
	m := &Manager{}
	if err := yaml.UnmarshalStrict(raw, m); err != nil {
		return nil, err
	}
	m.Default()
	if err := m.Validate().ToAggregate(); err != nil {
		return nil, err
	}
	return m, nil
}
