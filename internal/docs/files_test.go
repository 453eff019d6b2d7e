package docs

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// top is the root of the repository, seen from this package.
const top = "../.."

// files are the repository's files with one of the extensions, as paths from this package.
func files(t *testing.T, extensions ...string) []string {
	t.Helper()
	var found []string
	err := filepath.WalkDir(top, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() && slices.Contains([]string{"bin", "dist", ".git", "testdata"}, entry.Name()) {
			return filepath.SkipDir
		}
		if !entry.IsDir() && slices.Contains(extensions, filepath.Ext(path)) {
			found = append(found, path)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func read(t *testing.T, path string) string {
	t.Helper()
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}
