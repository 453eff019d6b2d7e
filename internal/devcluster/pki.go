package devcluster

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"time"
)

// authority is a certificate authority. Its key never leaves memory.
type authority struct {
	cert *x509.Certificate
	key  *ecdsa.PrivateKey
	pem  []byte
}

// keyPair is a certificate and its key, in PEM.
type keyPair struct {
	cert, key []byte
}

func newAuthority(name string) (*authority, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	template := &x509.Certificate{
		Subject:               pkix.Name{CommonName: name},
		KeyUsage:              x509.KeyUsageCertSign | x509.KeyUsageDigitalSignature,
		IsCA:                  true,
		BasicConstraintsValid: true,
	}
	der, err := sign(template, template, &key.PublicKey, key)
	if err != nil {
		return nil, fmt.Errorf("creating the certificate authority %s: %w", name, err)
	}
	cert, err := x509.ParseCertificate(der)
	if err != nil {
		return nil, err
	}
	return &authority{cert: cert, key: key, pem: pemBlock("CERTIFICATE", der)}, nil
}

// server issues a certificate for a server on this machine, by the given further names.
func (a *authority) server(name string, alsoKnownAs ...string) (keyPair, error) {
	return a.issue(&x509.Certificate{
		Subject:     pkix.Name{CommonName: name},
		DNSNames:    append([]string{"localhost"}, alsoKnownAs...),
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1), net.IPv4(10, 96, 0, 1)},
		KeyUsage:    x509.KeyUsageDigitalSignature,
		// etcd dials itself with its server certificate
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth},
	})
}

// client issues a certificate that authenticates as a user in groups.
func (a *authority) client(user string, groups ...string) (keyPair, error) {
	return a.issue(&x509.Certificate{
		Subject:     pkix.Name{CommonName: user, Organization: groups},
		KeyUsage:    x509.KeyUsageDigitalSignature,
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth},
	})
}

func (a *authority) issue(template *x509.Certificate) (keyPair, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return keyPair{}, err
	}
	der, err := sign(template, a.cert, &key.PublicKey, a.key)
	if err != nil {
		return keyPair{}, fmt.Errorf("issuing a certificate for %q: %w", template.Subject.CommonName, err)
	}
	keyPEM, err := encodeKey(key)
	if err != nil {
		return keyPair{}, err
	}
	return keyPair{cert: pemBlock("CERTIFICATE", der), key: keyPEM}, nil
}

func sign(template, parent *x509.Certificate, public *ecdsa.PublicKey, key *ecdsa.PrivateKey) ([]byte, error) {
	serial, err := rand.Int(rand.Reader, new(big.Int).Lsh(big.NewInt(1), 127))
	if err != nil {
		return nil, err
	}
	now := time.Now()
	template.SerialNumber = serial
	template.NotBefore = now.Add(-time.Hour) // clocks of containers may lag
	template.NotAfter = now.AddDate(1, 0, 0)
	return x509.CreateCertificate(rand.Reader, template, parent, public, key)
}

func encodeKey(key *ecdsa.PrivateKey) ([]byte, error) {
	der, err := x509.MarshalECPrivateKey(key)
	if err != nil {
		return nil, err
	}
	return pemBlock("EC PRIVATE KEY", der), nil
}

func pemBlock(kind string, der []byte) []byte {
	return pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der})
}

// writePKI creates the authorities of a cluster and writes what its processes read into folder/pki. It returns the
// authority that clients' certificates come from.
func writePKI(folder string) (*authority, error) {
	dir := filepath.Join(folder, "pki")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	var authorities []*authority
	for _, name := range []string{"ca", "etcd-ca", "front-proxy-ca"} {
		a, err := newAuthority(name)
		if err != nil {
			return nil, err
		}
		if err := os.WriteFile(filepath.Join(dir, name+".crt"), a.pem, 0o600); err != nil {
			return nil, err
		}
		authorities = append(authorities, a)
	}
	ca, etcdCA, frontProxyCA := authorities[0], authorities[1], authorities[2]
	pairs := map[string]func() (keyPair, error){
		"etcd":        func() (keyPair, error) { return etcdCA.server("etcd") },
		"etcd-client": func() (keyPair, error) { return etcdCA.client("kube-apiserver") },
		"front-proxy": func() (keyPair, error) { return frontProxyCA.client("front-proxy-client") },
		"kube-apiserver": func() (keyPair, error) {
			return ca.server("kube-apiserver", "kubernetes", "kubernetes.default", "kubernetes.default.svc")
		},
		"service-account": func() (keyPair, error) { return ca.client("service-account") }, // only its key is used
	}
	for name, issue := range pairs {
		pair, err := issue()
		if err != nil {
			return nil, err
		}
		for suffix, content := range map[string][]byte{".crt": pair.cert, ".key": pair.key} {
			if err := os.WriteFile(filepath.Join(dir, name+suffix), content, 0o600); err != nil {
				return nil, err
			}
		}
	}
	return ca, nil
}
