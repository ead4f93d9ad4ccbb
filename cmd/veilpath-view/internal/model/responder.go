package model

import (
	"fmt"
	"slices"

	"veilpath/sim/setup"
	"veilpath/sim/study"
)

// Responder flies for another instance of the program, for which this one is a Remote. It serves one goroutine.
type Responder struct {
	// Pause lets the instance do all else that is due, such as taking messages and interruptions.
	Pause func()

	messages  [][]byte // without an answer
	interrupt int      // how many of those are to be answered with what has been flown of them
	known     []settled
	worker    worker
}

// settled is an experiment by its settings.
type settled struct {
	settings   string
	experiment *study.Experiment
}

// mostSettled is how many experiments a responder keeps: of the settings in force and of those that they are compared with.
const mostSettled = 2

// Take takes a message of the other instance.
func (r *Responder) Take(message []byte) { r.messages = append(r.messages, message) }

// Interrupt has all messages that were taken answered with what has been flown of them.
func (r *Responder) Interrupt() { r.interrupt = len(r.messages) }

// Respond flies what the first message without an answer asks for and returns the answer; nil where there is no message.
func (r *Responder) Respond() (answer []byte, err error) {
	if len(r.messages) == 0 {
		return nil, nil
	}
	var members []*Member
	if r.interrupt == 0 {
		if members, err = r.fly(r.messages[0]); err != nil {
			return nil, err
		}
	}
	r.messages, r.interrupt = r.messages[1:], max(0, r.interrupt-1)
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
	r.worker.prepare(experiment, m.radiusKm)
	r.worker.flyer.Stop, r.worker.flyer.Pause = func() bool { return r.interrupt > 0 }, r.Pause
	flyMembers(r.worker.flyer, m.requests, func(_ request, kept any) { members = append(members, kept.(*Member)) })
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
