package gang

import "strconv"

// attemptNumbers is how many attempts have names of their own. An attempt's objects are long gone when its number comes
// again, and names stay short enough for the host names of pods.
const attemptNumbers = 10000

// JobName is the name of the Job of a role in an attempt, and the stem of its pods' host names.
func JobName(gang, role string, attempt int32) string {
	return gang + "-" + role + "-" + strconv.Itoa(int(attempt%attemptNumbers))
}

// ServiceName is the name of the gang's headless Service, and BudgetName of its PodDisruptionBudget.
func ServiceName(gang string) string { return gang }

// BudgetName is the name of the gang's PodDisruptionBudget.
func BudgetName(gang string) string { return gang }

// HostName is the name under which the pod of a role's rank is found inside its namespace.
func HostName(gang, role string, attempt int32, index int32) string {
	return JobName(gang, role, attempt) + "-" + strconv.Itoa(int(index)) + "." + ServiceName(gang)
}
