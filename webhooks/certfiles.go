package webhooks

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/log"
)

// How often the Secret is looked at: until it is filled, and afterwards. A certificate is renewed three months before it
// expires, so that there is no hurry.
const (
	unfilledInterval = time.Second
	filledInterval   = 10 * time.Minute
)

// certificateFiles writes the certificate that the Secret holds into the folder that it is served from. The webhook
// server notices when the files change.
type certificateFiles struct {
	reader client.Reader
	secret client.ObjectKey
	dir    string
}

// NeedLeaderElection is false: every replica serves.
func (c *certificateFiles) NeedLeaderElection() bool { return false }

// Start writes the files whenever the Secret's content is another one.
func (c *certificateFiles) Start(ctx context.Context) error {
	logger := log.FromContext(ctx).WithName("certificates")
	for {
		interval := filledInterval
		filled, err := c.write(ctx)
		if err != nil {
			logger.Error(err, "Writing the webhooks' certificate")
		}
		if !filled {
			interval = unfilledInterval
		}
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(interval):
		}
	}
}

// write tells whether the Secret holds a certificate and the files are the same.
func (c *certificateFiles) write(ctx context.Context) (bool, error) {
	var secret corev1.Secret
	if err := c.reader.Get(ctx, c.secret, &secret); err != nil {
		return false, fmt.Errorf("reading Secret %s: %w", c.secret, err)
	}
	certificate, key := secret.Data[corev1.TLSCertKey], secret.Data[corev1.TLSPrivateKeyKey]
	if len(certificate) == 0 || len(key) == 0 {
		return false, nil
	}
	if err := os.MkdirAll(c.dir, 0o700); err != nil {
		return false, err
	}
	// The key goes first: the certificate's appearance is what others wait for.
	if err := replaceFile(filepath.Join(c.dir, corev1.TLSPrivateKeyKey), key); err != nil {
		return false, err
	}
	if err := replaceFile(filepath.Join(c.dir, corev1.TLSCertKey), certificate); err != nil {
		return false, err
	}
	return true, nil
}

// replaceFile writes a file in one step, if it has another content.
func replaceFile(path string, content []byte) error {
	if old, err := os.ReadFile(path); err == nil && bytes.Equal(old, content) {
		return nil
	}
	next := path + ".new"
	if err := os.WriteFile(next, content, 0o600); err != nil {
		return err
	}
	return os.Rename(next, path)
}
