package main

// tinySuite is a benchmark of one row.
const tinySuite = `
flights: 4
policies: 1
observers: [geometry]
missions:
  - name: tiny
    set: {planner.columns: 8, planner.rows: 6, planner.start_cell: "[0, 2]", vehicle.start_km: "[-75, 0, 10]",
      vehicle.heading: 90, privacy.handover_km: 30, adversary.candidates: "6:2,5:5"}
ways: [{name: soft, set: {privacy.mechanism: soft}}]
`
