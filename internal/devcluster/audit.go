package devcluster

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"time"
)

// AuditEvent is one completed request to the API server.
type AuditEvent struct {
	Time        time.Time // when it was received
	User        string    // such as "admin" (Cluster.Config), "devcluster" (this package), "kwok" (the kubelets)
	UserAgent   string
	Verb        string // get, list, watch, create, update, patch, delete, deletecollection
	Group       string // API group of the object; empty for the core group
	Resource    string // such as "pods"; empty for requests outside the API
	Subresource string // such as "status"
	Namespace   string
	Name        string
	Code        int // HTTP status
}

// IsWrite tells whether the request was to change something, whatever became of it.
func (e AuditEvent) IsWrite() bool {
	switch e.Verb {
	case "create", "update", "patch", "delete", "deletecollection":
		return true
	}
	return false
}

// AuditLog is the path of the audit log, one JSON object of audit.k8s.io/v1 a line, or empty where Options.AuditLog is
// not set.
func (c *Cluster) AuditLog() string { return c.audit }

// AuditEvents reads the requests that the filter accepts from the audit log, in the order of their completion. The log
// is written before the response is sent, so that what has been answered is in it.
func (c *Cluster) AuditEvents(accept func(AuditEvent) bool) ([]AuditEvent, error) {
	if c.audit == "" {
		return nil, fmt.Errorf("the cluster has no audit log; set Options.AuditLog")
	}
	file, err := os.Open(c.audit)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return readAudit(file, accept)
}

// auditLine is the part of audit.k8s.io/v1 Event that is read.
type auditLine struct {
	RequestReceivedTimestamp time.Time `json:"requestReceivedTimestamp"`
	Verb                     string    `json:"verb"`
	UserAgent                string    `json:"userAgent"`
	User                     struct {
		Username string `json:"username"`
	} `json:"user"`
	ObjectRef struct {
		APIGroup    string `json:"apiGroup"`
		Resource    string `json:"resource"`
		Subresource string `json:"subresource"`
		Namespace   string `json:"namespace"`
		Name        string `json:"name"`
	} `json:"objectRef"`
	ResponseStatus struct {
		Code int `json:"code"`
	} `json:"responseStatus"`
}

func readAudit(r io.Reader, accept func(AuditEvent) bool) ([]AuditEvent, error) {
	var events []AuditEvent
	reader := bufio.NewReader(r)
	for {
		raw, err := reader.ReadBytes('\n')
		if err == io.EOF {
			return events, nil // a line without its end is still being written
		}
		if err != nil {
			return nil, err
		}
		var line auditLine
		if err := json.Unmarshal(raw, &line); err != nil {
			return nil, fmt.Errorf("reading the audit log: %w", err)
		}
		event := AuditEvent{
			Time:        line.RequestReceivedTimestamp,
			User:        line.User.Username,
			UserAgent:   line.UserAgent,
			Verb:        line.Verb,
			Group:       line.ObjectRef.APIGroup,
			Resource:    line.ObjectRef.Resource,
			Subresource: line.ObjectRef.Subresource,
			Namespace:   line.ObjectRef.Namespace,
			Name:        line.ObjectRef.Name,
			Code:        line.ResponseStatus.Code,
		}
		if accept == nil || accept(event) {
			events = append(events, event)
		}
	}
}
