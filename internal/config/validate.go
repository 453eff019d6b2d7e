package config

import (
	"strconv"
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// Validate returns every mistake of a configuration whose defaults are filled in.
func (m *Manager) Validate() field.ErrorList {
	var errs field.ErrorList
	if m.APIVersion != APIVersion {
		errs = append(errs, field.NotSupported(field.NewPath("apiVersion"), m.APIVersion, []string{APIVersion}))
	}
	if m.Kind != Kind {
		errs = append(errs, field.NotSupported(field.NewPath("kind"), m.Kind, []string{Kind}))
	}
	errs = append(errs, m.Policy.Validate(nil)...)
	errs = append(errs, positive(field.NewPath("maxGracePeriod"), m.MaxGracePeriod)...)
	errs = append(errs, positive(field.NewPath("maxMinRuntime"), m.MaxMinRuntime)...)
	errs = append(errs, positive(field.NewPath("batchWindow"), m.BatchWindow)...)
	errs = append(errs, positive(field.NewPath("podsReadyTimeout"), m.PodsReadyTimeout)...)
	status := field.NewPath("status")
	errs = append(errs, positive(status.Child("waitingInterval"), m.Status.WaitingInterval)...)
	errs = append(errs, positive(status.Child("summaryInterval"), m.Status.SummaryInterval)...)
	if m.Status.WaitingPerSecond < 1 {
		errs = append(errs, field.Invalid(status.Child("waitingPerSecond"), m.Status.WaitingPerSecond, "must be at least 1"))
	}
	return append(errs, m.Webhook.validate(field.NewPath("webhook"))...)
}

// Validate returns every mistake of the policy, whose fields are under parent.
func (p *Policy) Validate(parent *field.Path) field.ErrorList {
	errs := positive(parent.Child("reserveAfter"), p.ReserveAfter)
	errs = append(errs, positive(parent.Child("assumedRuntime"), p.AssumedRuntime)...)
	errs = append(errs, positive(parent.Child("lostWorkCap"), p.LostWorkCap)...)
	errs = append(errs, positive(parent.Child("moveMaxLoss"), p.MoveMaxLoss)...)
	errs = append(errs, positive(parent.Child("evictionBackOff"), p.EvictionBackOff)...)
	errs = append(errs, notNegative(parent.Child("maxReservations"), *p.MaxReservations)...)
	errs = append(errs, notNegative(parent.Child("movesPerHour"), *p.MovesPerHour)...)
	if _, ok := tenThousandths(p.MaxReservationIdle); !ok {
		errs = append(errs, field.Invalid(parent.Child("maxReservationIdle"), p.MaxReservationIdle,
			"must be a percentage from 0% to 100% with at most two decimals, such as 5%"))
	}
	return errs
}

func (w *Webhook) validate(path *field.Path) field.ErrorList {
	var errs field.ErrorList
	if w.Port < 1 || w.Port > 65535 {
		errs = append(errs, field.Invalid(path.Child("port"), w.Port, "must be from 1 to 65535"))
	}
	switch w.Certificates {
	case SelfManaged, CertManager, Files:
	default:
		errs = append(errs, field.NotSupported(path.Child("certificates"), w.Certificates,
			[]CertificateMode{SelfManaged, CertManager, Files}))
	}
	return errs
}

func positive(path *field.Path, d metav1.Duration) field.ErrorList {
	if d.Duration > 0 {
		return nil
	}
	return field.ErrorList{field.Invalid(path, d.Duration.String(), "must be longer than 0s, such as "+time.Minute.String())}
}

func notNegative(path *field.Path, n int) field.ErrorList {
	if n >= 0 {
		return nil
	}
	return field.ErrorList{field.Invalid(path, n, "must be 0 or more")}
}

// tenThousandths reads a percentage with at most two decimals.
func tenThousandths(percent string) (int64, bool) {
	number, ok := strings.CutSuffix(percent, "%")
	whole, decimals, _ := strings.Cut(number, ".")
	if !ok || len(decimals) > 2 {
		return 0, false
	}
	n, err := strconv.ParseUint(whole+(decimals + "00")[:2], 10, 16)
	return int64(n), err == nil && n <= 10000
}
