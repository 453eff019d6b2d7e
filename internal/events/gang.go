package events

import (
	"fmt"

	"github.com/berth-dev/berth/api/v1alpha1"
)

// Admitted says that the Jobs of a gang were let go into its slot.
func Admitted(g *v1alpha1.GangJob) Event {
	a := g.Status.Assignment
	where := "pool " + a.Pool
	if a.Domain != "" {
		where = fmt.Sprintf("%s %s of pool %s", a.Level, a.Domain, a.Pool)
	}
	return normal("Admitted", "Release", fmt.Sprintf("attempt %d starts in %s", g.Status.Berth.Attempt, where))
}

// Withdrawn says that a reservation was taken back because another overlapped it.
func Withdrawn() Event {
	return normal("Withdrawn", "Withdraw", "its slot was given to another gang at the same time; it waits again")
}

// Running says that all pods of the gang are Ready.
func Running(pods int32) Event {
	return normal("Running", "Observe", fmt.Sprintf("all %d pods are Ready", pods))
}

// Preempting says that the gang was told to leave its berth.
func Preempting(message, deadline string) Event {
	return warning("Preempting", "Notify", fmt.Sprintf("%s; its pods are stopped at the latest at %s", message, deadline))
}

// CalledOff says that the gang stays, since it has not saved its work in time to be moved.
func CalledOff() Event {
	return normal("MoveCalledOff", "Spare", "has not acknowledged in time that its work is saved; it is not moved")
}

// Left says that the pods of a gang that was told to leave are gone, and that it waits again.
func Left(reason string) Event {
	return normal("Left", "Requeue", "has left its berth ("+reason+") and waits again")
}

// Restarting says that a pod failed and the whole gang starts again.
func Restarting(why string, restart, limit int32) Event {
	return warning("Restarting", "Restart", fmt.Sprintf("%s; restart %d of %d", why, restart, limit))
}

// PutBack says that the pods of a gang did not become Ready in time.
func PutBack(why string) Event { return warning("PodsReadyTimeout", "PutBack", why) }

// Succeeded says that the gang has ended well.
func Succeeded() Event {
	return normal("Succeeded", "Finish", "the roles of its successPolicy have succeeded")
}

// Failed says that the gang has ended badly.
func Failed(reason, message string) Event { return warning(reason, "Finish", message) }

// NameTaken says that an object of somebody else has the name of a child of the gang.
func NameTaken(kind, name string) Event {
	return warning("NameTaken", "Create", fmt.Sprintf("%s %s belongs to somebody else; delete it or rename the GangJob", kind, name))
}

// CannotMakeJob says that the API server refused a Job of the gang.
func CannotMakeJob(role string, err error) Event {
	return warning("CannotMakeJob", "Create", fmt.Sprintf("the Job of role %s is refused: %v", role, err))
}

// Replaced says that a node under the gang failed and it goes on in another slot.
func Replaced(g *v1alpha1.GangJob) Event {
	a := g.Status.Assignment
	return warning("Replaced", "Replace", fmt.Sprintf("a node failed; attempt %d starts in %s %s of pool %s", g.Status.Berth.Attempt,
		a.Level, a.Domain, a.Pool))
}

// Resized says that an elastic gang has more or fewer pods from now on.
func Resized(a *v1alpha1.Assignment, grown bool) Event {
	if grown {
		return normal("Grown", "Resize", "idle room of pool "+a.Pool+" lets it have more pods")
	}
	return warning("Shrunk", "Resize", "gives room of pool "+a.Pool+" back that it has above its floor")
}
