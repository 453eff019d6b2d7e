package config

import (
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// The identity of the document.
const (
	APIVersion = "config.berth.dev/v1alpha1"
	Kind       = "ManagerConfiguration"
)

// Manager is the configuration of the manager. A field that is left out has its default.
type Manager struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`

	Policy `json:",inline"`
	Limits `json:",inline"`

	// BatchWindow is for how long nothing must change before the manager decides on all that has changed, so that what
	// happens together is decided together; ten times as long at most. Default 10ms.
	BatchWindow metav1.Duration `json:"batchWindow,omitzero"`
	// PodsReadyTimeout is how long the pods of an admitted gang may take to be all Ready before the gang is put back.
	// Default 15m.
	PodsReadyTimeout metav1.Duration `json:"podsReadyTimeout,omitzero"`
	// Status says how often what people read is written.
	Status Status `json:"status,omitzero"`
	// Webhook says how the admission webhooks are served.
	Webhook Webhook `json:"webhook,omitzero"`
}

// Policy holds the settings of the admission policy.
type Policy struct {
	// ReserveAfter is for how long a gang heads its team's order in a pool, adding up, before it is promised a slot.
	// Default 5m.
	ReserveAfter metav1.Duration `json:"reserveAfter,omitzero"`
	// MaxReservations is how many promised slots a pool has at most. Default 4; 0 makes no promises.
	MaxReservations *int `json:"maxReservations,omitempty"`
	// MaxReservationIdle is how much of a pool's accelerator-hours of a day one promise may keep idle, in percent such as
	// "5%". Default 5%.
	MaxReservationIdle string `json:"maxReservationIdle,omitempty"`
	// AssumedRuntime is when a gang without maxRuntime is taken to end. Default 24h.
	AssumedRuntime metav1.Duration `json:"assumedRuntime,omitzero"`
	// LostWorkCap caps the time that counts as at stake when a gang is evicted. Default 1h.
	LostWorkCap metav1.Duration `json:"lostWorkCap,omitzero"`
	// MovesPerHour is how many gangs are moved in a pool and hour at most. Default 6; 0 moves none.
	MovesPerHour *int `json:"movesPerHour,omitempty"`
	// MoveMaxLoss is how much time at stake a gang may have that does not answer before its stop, to be moved. Default
	// 15m.
	MoveMaxLoss metav1.Duration `json:"moveMaxLoss,omitzero"`
	// EvictionBackOff is the unit of the time for which an evicted gang is not considered: after n evictions within an hour
	// 2^n of it, at most 32. Default 1m.
	EvictionBackOff metav1.Duration `json:"evictionBackOff,omitzero"`
}

// Limits bound what users may ask for.
type Limits struct {
	// MaxGracePeriod bounds a gang's checkpoint grace together with its pods' own. Default 15m.
	MaxGracePeriod metav1.Duration `json:"maxGracePeriod,omitzero"`
	// MaxMinRuntime bounds the minRuntime of a Quota. Default 4h.
	MaxMinRuntime metav1.Duration `json:"maxMinRuntime,omitzero"`
	// UncountedDrivers are the DRA drivers whose devices no node runs out of: resource claims are refused but for theirs.
	UncountedDrivers []string `json:"uncountedDrivers,omitempty"`
}

// Status says how often what people read is written.
type Status struct {
	// WaitingInterval is how often the place and message of a waiting gang are refreshed while its reason stays the same.
	// Default 1m.
	WaitingInterval metav1.Duration `json:"waitingInterval,omitzero"`
	// WaitingPerSecond bounds such writes over all gangs. Default 20.
	WaitingPerSecond int `json:"waitingPerSecond,omitempty"`
	// SummaryInterval is how often a Team, Quota or TopologyDomain is written at most. Default 5s.
	SummaryInterval metav1.Duration `json:"summaryInterval,omitzero"`
}

// CertificateMode says where the webhooks' certificate comes from.
type CertificateMode string

// The ways to come by a certificate.
const (
	// SelfManaged: the manager makes a CA and a certificate, keeps them in a Secret and renews them in time.
	SelfManaged CertificateMode = "SelfManaged"
	// CertManager: cert-manager fills the mounted folder and the CA bundles.
	CertManager CertificateMode = "CertManager"
	// Files: somebody else fills the mounted folder and the CA bundles.
	Files CertificateMode = "Files"
)

// Webhook says how the admission webhooks are served.
type Webhook struct {
	// Host is the address to listen on. Default: all.
	Host string `json:"host,omitempty"`
	// Port is the port to listen on. Default 9443.
	Port int `json:"port,omitempty"`
	// Certificates says where the certificate comes from. Default SelfManaged.
	Certificates CertificateMode `json:"certificates,omitempty"`
	// CertDir is the folder with tls.crt and tls.key. Default /tmp/berth-webhook/certs.
	CertDir string `json:"certDir,omitempty"`
	// Service and Secret name the Service in front of the webhooks and the Secret with the self-managed certificate, in
	// the manager's namespace. Defaults berth-webhook and berth-webhook-cert.
	Service string `json:"service,omitempty"`
	Secret  string `json:"secret,omitempty"`
}

// Default fills what was left out.
func (m *Manager) Default() {
	m.Policy.Default()
	m.Limits.Default()
	orDuration(&m.BatchWindow, 10*time.Millisecond)
	orDuration(&m.PodsReadyTimeout, 15*time.Minute)
	orDuration(&m.Status.WaitingInterval, time.Minute)
	orDuration(&m.Status.SummaryInterval, 5*time.Second)
	or(&m.Status.WaitingPerSecond, 20)
	or(&m.Webhook.Port, 9443)
	or(&m.Webhook.Certificates, SelfManaged)
	or(&m.Webhook.CertDir, "/tmp/berth-webhook/certs")
	or(&m.Webhook.Service, "berth-webhook")
	or(&m.Webhook.Secret, "berth-webhook-cert")
}

// Default fills what was left out.
func (p *Policy) Default() {
	orDuration(&p.ReserveAfter, 5*time.Minute)
	orPointer(&p.MaxReservations, 4)
	or(&p.MaxReservationIdle, "5%")
	orDuration(&p.AssumedRuntime, 24*time.Hour)
	orDuration(&p.LostWorkCap, time.Hour)
	orPointer(&p.MovesPerHour, 6)
	orDuration(&p.MoveMaxLoss, 15*time.Minute)
	orDuration(&p.EvictionBackOff, time.Minute)
}

// Default fills what was left out.
func (l *Limits) Default() {
	orDuration(&l.MaxGracePeriod, 15*time.Minute)
	orDuration(&l.MaxMinRuntime, 4*time.Hour)
}

func or[T comparable](field *T, value T) {
	var zero T
	if *field == zero {
		*field = value
	}
}

func orPointer[T any](field **T, value T) {
	if *field == nil {
		*field = &value
	}
}

func orDuration(field *metav1.Duration, value time.Duration) {
	if field.Duration == 0 {
		field.Duration = value
	}
}
