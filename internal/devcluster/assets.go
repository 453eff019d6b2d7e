package devcluster

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"k8s.io/apimachinery/pkg/util/version"
)

const modulePath = "github.com/berth-dev/berth"

// servers are what a folder of assets must hold; the others may come from the repository's own build.
var (
	servers = []string{"kube-apiserver", "kube-controller-manager", "kube-scheduler"}
	helpers = []string{"etcd", "kwok", "kubectl"}
)

// assets are the binaries that a cluster is made of.
type assets struct {
	paths   map[string]string
	version *version.Version
}

// findAssets resolves the binaries in the order that Options.Assets documents, and asks kube-apiserver its version.
func findAssets(ctx context.Context, opts Options) (*assets, error) {
	dir, origin := opts.Assets, "Options.Assets"
	if dir == "" && opts.Version == "" {
		dir, origin = os.Getenv("KUBEBUILDER_ASSETS"), "KUBEBUILDER_ASSETS"
	}
	built := ""
	if dir == "" {
		var err error
		if built, err = builtAssets(ctx, opts.Version); err != nil {
			return nil, err
		}
		dir, origin = built, "the build"
	}
	a := &assets{paths: map[string]string{}}
	for _, name := range servers {
		path := filepath.Join(dir, name)
		if !isFile(path) {
			return nil, fmt.Errorf("%s: %s holds no %s; it needs %s", origin, dir, name, strings.Join(servers, ", "))
		}
		a.paths[name] = path
	}
	for _, name := range helpers {
		path := filepath.Join(dir, name)
		if !isFile(path) && built == "" {
			var err error
			if built, err = builtAssets(ctx, opts.Version); err != nil {
				return nil, fmt.Errorf("%s: %s holds no %s, and none could be built: %w", origin, dir, name, err)
			}
		}
		if !isFile(path) {
			path = filepath.Join(built, name)
		}
		a.paths[name] = path
	}
	out, err := exec.CommandContext(ctx, a.paths["kube-apiserver"], "--version").Output()
	if err != nil {
		return nil, fmt.Errorf("asking %s its version: %w", a.paths["kube-apiserver"], err)
	}
	a.version, err = version.ParseSemantic(strings.TrimPrefix(strings.TrimSpace(string(out)), "Kubernetes "))
	if err != nil {
		return nil, fmt.Errorf("reading the version of %s: %w", a.paths["kube-apiserver"], err)
	}
	return a, nil
}

// builtAssets returns bin/controlplane/<version> of the repository, after building it where it is not complete.
func builtAssets(ctx context.Context, series string) (string, error) {
	root, err := repositoryRoot()
	if err != nil {
		return "", err
	}
	module := "kubernetes"
	if series != "" {
		module += "-" + series
	}
	pinned, err := pinnedVersion(filepath.Join(root, "hack", "controlplane", module, "go.mod"))
	if err != nil {
		return "", fmt.Errorf("Kubernetes version %q: %w", series, err)
	}
	dir := filepath.Join(root, "bin", "controlplane", pinned)
	if isFile(filepath.Join(dir, ".stamp")) { // written when a build is complete
		return dir, nil
	}
	args := []string{filepath.Join(root, "hack", "controlplane", "build.sh")}
	if series != "" {
		args = append(args, series)
	}
	cmd := exec.CommandContext(ctx, "bash", args...)
	cmd.Stderr = os.Stderr // minutes of work: say what is going on
	if err := cmd.Run(); err != nil {
		return "", fmt.Errorf("building the control plane: %w", err)
	}
	return dir, nil
}

// pinnedVersion reads the version of k8s.io/kubernetes that a go.mod requires.
func pinnedVersion(goMod string) (string, error) {
	raw, err := os.ReadFile(goMod)
	if err != nil {
		return "", err
	}
	for lines := bufio.NewScanner(bytes.NewReader(raw)); lines.Scan(); {
		words := strings.Fields(strings.TrimPrefix(strings.TrimSpace(lines.Text()), "require "))
		if len(words) >= 2 && words[0] == "k8s.io/kubernetes" {
			return words[1], nil
		}
	}
	return "", fmt.Errorf("%s does not require k8s.io/kubernetes", goMod)
}

// repositoryRoot is the first folder from the working directory upwards that holds the project's go.mod.
func repositoryRoot() (string, error) {
	start, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for dir := start; ; dir = filepath.Dir(dir) {
		raw, err := os.ReadFile(filepath.Join(dir, "go.mod"))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return "", err
		}
		if first, _, _ := strings.Cut(string(raw), "\n"); strings.TrimSpace(first) == "module "+modulePath {
			return dir, nil
		}
		if dir == filepath.Dir(dir) {
			return "", fmt.Errorf("no checkout of %s at or above %s; set Options.Assets or KUBEBUILDER_ASSETS", modulePath, start)
		}
	}
}

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}
