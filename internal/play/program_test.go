package play

import (
	"testing"
	"time"

	"github.com/berth-dev/berth/internal/simulate"
)

func TestAProgramEndsAndStopsWhenItsScenarioSays(t *testing.T) {
	hourly := simulate.Program{Runs: 2 * time.Hour, Every: 10 * time.Minute, Saves: true, Save: 20 * time.Second}
	mute := simulate.Program{Runs: 2 * time.Hour}
	for name, test := range map[string]struct {
		program program
		do      func(*program)
		at      time.Duration
		stops   bool
		never   bool
	}{
		"by itself after its run": {
			program: program{Program: mute},
			do:      func(p *program) { p.start(time.Minute) },
			at:      2*time.Hour + time.Minute,
		},
		"never without a run": {
			do:    func(p *program) { p.start(time.Minute) },
			never: true,
		},
		"never before it starts": {
			program: program{Program: mute},
			do:      func(*program) {},
			never:   true,
		},
		"when it acknowledges": {
			program: program{Program: hourly, asked: true, grace: time.Minute},
			do:      func(p *program) { p.start(0); p.tell(time.Hour) },
			at:      time.Hour + 20*time.Second, stops: true,
		},
		"at the end of its grace where it never does": {
			program: program{Program: mute, asked: true, grace: time.Minute},
			do:      func(p *program) { p.start(0); p.tell(time.Hour) },
			at:      time.Hour + time.Minute, stops: true,
		},
		"at the end of its grace where nobody asks for a save": {
			program: program{Program: hourly, grace: 30 * time.Second},
			do:      func(p *program) { p.start(0); p.tell(time.Hour) },
			at:      time.Hour + 30*time.Second, stops: true,
		},
		"by itself though it was told, where that comes first": {
			program: program{Program: mute, grace: time.Minute},
			do:      func(p *program) { p.start(0); p.tell(2*time.Hour - time.Second) },
			at:      2 * time.Hour,
		},
		"by itself once it is spared": {
			program: program{Program: mute, grace: time.Minute},
			do:      func(p *program) { p.start(0); p.tell(time.Hour); p.spare() },
			at:      2 * time.Hour,
		},
		"earlier by what it acknowledged": {
			program: program{Program: hourly, asked: true, grace: time.Minute},
			do: func(p *program) {
				p.start(0)
				p.tell(15 * time.Minute)
				p.leave(15*time.Minute + 20*time.Second)
				p.start(time.Hour)
			},
			at: time.Hour + 105*time.Minute,
		},
		"earlier by its last own save where its node failed": {
			program: program{Program: hourly, asked: true, grace: time.Minute},
			do:      func(p *program) { p.start(0); p.lose(15 * time.Minute); p.start(time.Hour) },
			at:      time.Hour + 110*time.Minute,
		},
		"as late as ever where it saved nothing": {
			program: program{Program: mute, grace: time.Minute},
			do: func(p *program) {
				p.start(0)
				p.tell(15 * time.Minute)
				p.leave(16 * time.Minute)
				p.start(time.Hour)
			},
			at: 3 * time.Hour,
		},
	} {
		t.Run(name, func(t *testing.T) {
			p := test.program
			test.do(&p)
			at, stops, ok := p.next()
			if ok == test.never || at != test.at || stops != test.stops {
				t.Errorf("next is %s, stops %t, in sight %t; want %s, %t, %t", at, stops, ok, test.at, test.stops, !test.never)
			}
		})
	}
}
