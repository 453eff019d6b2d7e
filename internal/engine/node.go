package engine

// Time is an instant in nanoseconds since the Unix epoch (or since the start of a simulation); zero means never.
type Time = int64

// Amounts maps opaque resource names to integer quantities: CPU in thousandths of a core, everything else in its own
// unit (bytes, pieces).
type Amounts map[string]int64

// Node is a machine that gangs may be placed on, or could be if it were Ready.
type Node struct {
	// Name is unique among nodes.
	Name string
	// Labels are matched by selectors and name the domains that the node belongs to.
	Labels map[string]string
	// Taints keep pods away that do not tolerate them.
	Taints []Taint
	// Ready is false while the node cannot run pods; what is on it then is lost.
	Ready bool
	// Cordoned nodes take no new pods; gangs on them are to move when they can.
	Cordoned bool
	// NotReadySince is since when the node is not Ready; zero while it is, or where that is not known. After half an hour
	// the node leaves the sum that guarantees rest on, so that a flapping node changes no right.
	NotReadySince Time
	// Allocatable is what pods may use of the node.
	Allocatable Amounts
	// System is what DaemonSet and mirror pods use: never free, not even on an empty pool.
	System Amounts
}

// Taint is a node's taint as Kubernetes defines it.
type Taint struct{ Key, Value, Effect string }

// Toleration is a pod's toleration as Kubernetes defines it; an empty Key with Operator Exists tolerates everything.
type Toleration struct{ Key, Operator, Value, Effect string }

// NameKey is the key under which a [Requirement] sees the node's own name.
const NameKey = "metadata.name"

// Operator relates a label's value to a requirement's values.
type Operator string

// The operators of Kubernetes node affinity.
const (
	In           Operator = "In"
	NotIn        Operator = "NotIn"
	Exists       Operator = "Exists"
	DoesNotExist Operator = "DoesNotExist"
	Gt           Operator = "Gt"
	Lt           Operator = "Lt"
)

// Requirement is one condition on a node's label.
type Requirement struct {
	Key      string
	Operator Operator
	Values   []string
}

// Term holds when all of its requirements hold. An empty term holds for no node, as in Kubernetes.
type Term []Requirement

// Selector holds when one of its terms holds. A selector without terms holds for every node.
type Selector []Term

// Foreign is a pod that Berth does not manage and that uses a node.
type Foreign struct {
	// Name is unique among foreign pods (namespace/name).
	Name     string
	Node     string
	Requests Amounts
}
