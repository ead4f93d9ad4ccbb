package model

import (
	"veilpath/configs"
	"veilpath/sim/study"
)

// request is a flight to be made.
type request struct {
	draw  study.Draw
	sigma float64
	slot  int         // where its result belongs
	on    study.Range // of an axis
}

// job is a numbered list of requests for one experiment. They are handed out by number; results come in
// any order.
type job struct {
	experiment *study.Experiment
	config     configs.Config // that the experiment is of
	count      int
	request    func(i int) request
	fly        flying
	next       int
	flying     int       // requests that were taken and of which nothing is known yet
	returned   []request // that were taken and not done
	results    []result
	begins     uint64 // the frame with which paced workers begin
}

// flying makes flights as far as it is not stopped, and reports each.
type flying func(flyer *study.Flyer, o study.FlightOptions, requests []request, report func(q request, kept any))

// flights is the work of a job whose requests are single flights, with what to keep of each, seen by radii up to one.
func flights(keep func(q request, flyer *study.Flyer, f *study.Flight, radiusKm float64) any) flying {
	return func(flyer *study.Flyer, o study.FlightOptions, requests []request, report func(request, any)) {
		draws, sigmas := make([]study.Draw, len(requests)), make([]float64, len(requests))
		for i, q := range requests {
			draws[i], sigmas[i] = q.draw, q.sigma
		}
		n := 0
		err := flyer.FlyEach(draws, sigmas, o, func(f study.Flight) bool {
			report(requests[n], keep(requests[n], flyer, &f, o.RadiusKm))
			n++
			return true
		})
		made(n, err)
	}
}

type result struct {
	request
	kept any
}

// pending reports whether requests are left.
func (j *job) pending() bool {
	return j != nil && (j.next < j.count || len(j.returned) > 0)
}

// How many requests are taken at once: enough to be flown side by side and to start plans from each other; towards the
// end of a job fewer, so that all who fly for it end together.
const (
	atOnce     = 16
	leastTaken = 4
)

// take appends requests, first those that were returned.
func (j *job) take(requests []request) []request {
	left := len(j.returned) + j.count - j.next
	most := min(atOnce, max(leastTaken, left/4))
	again := min(most-len(requests), len(j.returned))
	requests = append(requests, j.returned[:again]...)
	j.returned = j.returned[again:]
	for ; j.next < j.count && len(requests) < most; j.next++ {
		requests = append(requests, j.request(j.next))
	}
	j.flying += len(requests)
	return requests
}

// put takes over what was made of requests that were taken. The rest of them is returned.
func (j *job) put(requests []request, results []result) {
	j.flying -= len(requests)
	j.results = append(j.results, results...)
	j.returned = append(j.returned, requests[len(results):]...)
}
