package model

import (
	"fmt"
	"slices"

	"veilpath/internal/setup"
	"veilpath/sim/study"
)

// Responder flies for another instance of the program, for which this one is a Remote. It serves one goroutine.
type Responder struct {
	// Pause lets the instance do all else that is due, such as taking messages and interruptions.
	Pause func()

	asked    []asked
	answered int // messages
	known    []settled
	worker   worker
}

// asked is a message without an answer.
type asked struct {
	message     []byte
	interrupted bool
}

// settled is an experiment by its settings.
type settled struct {
	settings   string
	experiment *study.Experiment
}

// mostSettled is how many experiments a responder keeps: of the settings in force and of those that they are compared
// with.
const mostSettled = 2

// Take takes a message of the other instance.
func (r *Responder) Take(message []byte) { r.asked = append(r.asked, asked{message: message}) }

// Interrupt has messages that were taken answered with what has been flown of them: all but the first so many that were
// ever taken.
func (r *Responder) Interrupt(but int) {
	for i := max(0, but-r.answered); i < len(r.asked); i++ {
		r.asked[i].interrupted = true
	}
}

// Respond flies what the first message without an answer asks for and returns the answer; nil where there is no
// message.
func (r *Responder) Respond() (answer []byte, err error) {
	if len(r.asked) == 0 {
		return nil, nil
	}
	var members []*Member
	if !r.asked[0].interrupted {
		if members, err = r.fly(r.asked[0].message); err != nil {
			return nil, err
		}
	}
	r.asked = r.asked[1:]
	r.answered++
	return appendAnswer(nil, members), nil
}

// fly returns the flights that a message asks for, without a gap, until they are interrupted.
func (r *Responder) fly(message []byte) (members []*Member, err error) {
	m, err := readMessage(message)
	if err != nil {
		return nil, err
	}
	experiment, err := r.experiment(m.settings)
	if err != nil {
		return nil, fmt.Errorf("model: settings of another instance: %w", err)
	}
	r.worker.prepare(experiment)
	o := flightOptions(m.radiusKm, func() bool { return r.asked[0].interrupted })
	o.Pause = r.Pause
	flyMembers(experiment)(r.worker.flyer, o, m.requests,
		func(_ request, kept any) { members = append(members, kept.(*Member)) })
	return members, nil
}

// experiment returns the experiment of some settings.
func (r *Responder) experiment(settings string) (*study.Experiment, error) {
	at := slices.IndexFunc(r.known, func(k settled) bool { return k.settings == settings })
	if at < 0 {
		config, err := loadText("settings.yaml", []byte(settings))
		if err != nil {
			return nil, err
		}
		experiment, err := setup.Experiment(config)
		if err != nil {
			return nil, err
		}
		r.known, at = append(r.known, settled{settings, experiment}), len(r.known)
	}
	latest := r.known[at]
	r.known = append(slices.Delete(r.known, at, at+1), latest)
	r.known = r.known[max(0, len(r.known)-mostSettled):]
	return latest.experiment, nil
}
