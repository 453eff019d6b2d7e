package devcluster

import (
	"fmt"
	"path/filepath"

	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"
)

// mastersGroup may do everything, whatever RBAC says.
const mastersGroup = "system:masters"

// Config is a client configuration with all rights, as user "admin". Each call returns a new copy.
func (c *Cluster) Config() *rest.Config {
	return rest.CopyConfig(c.admin)
}

// ConfigFor is a client configuration for a user in groups, authenticated by client certificate, with the rights that
// RBAC gives them. A service account is the user system:serviceaccount:<namespace>:<name>.
func (c *Cluster) ConfigFor(user string, groups ...string) (*rest.Config, error) {
	pair, err := c.ca.client(user, groups...)
	if err != nil {
		return nil, err
	}
	return &rest.Config{
		Host: c.url,
		TLSClientConfig: rest.TLSClientConfig{
			CAData:   c.ca.pem,
			CertData: pair.cert,
			KeyData:  pair.key,
		},
		QPS: -1, // the server's priority and fairness is the limit
	}, nil
}

// Kubeconfig is the path of a kubeconfig with all rights, inside the cluster's folder.
func (c *Cluster) Kubeconfig() string {
	return filepath.Join(c.dir, "admin.kubeconfig")
}

// WriteKubeconfig writes a kubeconfig for a user in groups, as ConfigFor describes.
func (c *Cluster) WriteKubeconfig(path, user string, groups ...string) error {
	pair, err := c.ca.client(user, groups...)
	if err != nil {
		return err
	}
	const name = "devcluster"
	config := clientcmdapi.NewConfig()
	config.Clusters[name] = &clientcmdapi.Cluster{Server: c.url, CertificateAuthorityData: c.ca.pem}
	config.AuthInfos[user] = &clientcmdapi.AuthInfo{ClientCertificateData: pair.cert, ClientKeyData: pair.key}
	config.Contexts[name] = &clientcmdapi.Context{Cluster: name, AuthInfo: user}
	config.CurrentContext = name
	if err := clientcmd.WriteToFile(*config, path); err != nil {
		return fmt.Errorf("writing the kubeconfig of %q: %w", user, err)
	}
	return nil
}
