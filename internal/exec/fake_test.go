package exec

import (
	"bufio"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"strings"
	"testing"
	"time"

	"veilpath/planner/privacy"
)

// fakeVariable has the test program be a command: its value says which.
const fakeVariable = "VEILPATH_FAKE_COMMAND"

// Fake returns the line of a command that this test program is.
func Fake(kind string) string {
	program, err := os.Executable()
	if err != nil {
		panic(err)
	}
	return fakeVariable + "='" + kind + "' exec '" + program + "'"
}

func TestMain(m *testing.M) {
	if kind := os.Getenv(fakeVariable); kind != "" {
		converse(kind)
		return
	}
	os.Exit(m.Run())
}

// message is any line that a command gets.
type message struct {
	Hello   json.RawMessage
	Mission *struct {
		States, Actions, Start     int
		Discount, Delta, Adjacency float64
		Grid                       *struct {
			Columns, Rows  int
			Spacing        float64 `json:"spacing_km"`
			Start          [2]int
			Goals, KeptOut [][2]int
		}
		Next     [][]int
		Rewards  [][]float64
		Lambda   float64 `json:"lambda_per_s"`
		Handover float64 `json:"handover_km"`
		Goals    []struct {
			At    [3]float64 `json:"at_km"`
			Prior float64
		}
	}
	Run     uint64
	ID      uint64
	Seed    string
	Epsilon float64
	StepS   float64 `json:"step_s"`
	EndS    float64 `json:"end_s"`
	Ask     []int
	Track   [][9]float64
}

// converse answers lines until there are no more.
func converse(kind string) {
	lines := bufio.NewReader(os.Stdin)
	kind, extra, _ := strings.Cut(kind, " ")
	var mission message
	hello := `"protocol":1,"name":"fake","version":"7"` + extra
	for answered := 0; ; answered++ {
		line, err := lines.ReadString('\n')
		if err != nil {
			return
		}
		var m message
		if err := json.Unmarshal([]byte(line), &m); err != nil {
			fmt.Fprintln(os.Stderr, "not understood:", err)
			os.Exit(4)
		}
		switch {
		case m.Hello != nil:
			fmt.Printf("{\"hello\":{%s}}\n", hello)
		case m.Mission != nil:
			mission = m
		default:
			reply(kind, &mission, &m, answered)
		}
	}
}

// reply answers a request.
func reply(kind string, mission, m *message, answered int) {
	switch kind {
	case "says":
		fmt.Println(os.Getenv("VEILPATH_FAKE_LINE"))
	case "silent":
		time.Sleep(time.Hour)
	case "dies":
		if m.Run == 3 {
			fmt.Fprintln(os.Stderr, "first line\nout of luck")
			os.Exit(3)
		}
		write(map[string]any{"policy": optimal(mission)})
	case "north":
		write(map[string]any{"policy": optimal(mission)})
	case "stutters", "late": // which prints twice only from a run on, with the number of the request
		policy := make([]int, mission.Mission.States)
		for state := range policy {
			policy[state] = int(m.Run % 5)
		}
		answer := map[string]any{"policy": policy}
		if kind == "late" {
			answer["id"] = m.ID
		}
		write(answer)
		if kind == "stutters" || m.Run >= 3 {
			write(answer)
		}
	case "counts":
		write(map[string]any{"goal": [2]int{answered % 9, 3}})
	case "gauss":
		write(map[string]any{"rewards": gauss(mission, m, 1)})
	case "weak":
		write(map[string]any{"rewards": gauss(mission, m, 0.5)})
	case "laplace":
		write(map[string]any{"rewards": laplace(mission, m)})
	case "geometry":
		write(map[string]any{"posterior": geometry(mission, m)})
	case "corner":
		write(map[string]any{"goal": [2]int{0, 0}})
	case "even":
		row := make([]float64, mission.Mission.Actions)
		for i := range row {
			row[i] = 1 / float64(len(row))
		}
		rows := make([][]float64, mission.Mission.States)
		for i := range rows {
			rows[i] = row
		}
		write(map[string]any{"stochastic": rows})
	case "ballistic":
		write(map[string]any{"points": ballistic(mission, m)})
	case "peeks":
		last := m.Track[len(m.Track)-1]
		points := make([][]float64, len(m.Ask))
		for i := range points {
			points[i] = last[:3]
		}
		write(map[string]any{"points": points})
	case "uniform", "priors":
		row := make([]float64, len(mission.Mission.Goals))
		for i := range row {
			row[i] = mission.Mission.Goals[i].Prior
		}
		rows := make([][]float64, len(m.Ask))
		for i := range rows {
			rows[i] = row
		}
		write(map[string]any{"posterior": rows})
	}
}

func write(answer map[string]any) {
	text, err := json.Marshal(answer)
	if err != nil {
		panic(err)
	}
	fmt.Println(string(text))
}

// optimal takes, in every state, the first action of those with the largest reward.
func optimal(mission *message) []int {
	policy := make([]int, mission.Mission.States)
	for state, row := range mission.Mission.Rewards {
		for action, r := range row {
			if r > row[policy[state]] {
				policy[state] = action
			}
		}
	}
	return policy
}

// gauss adds the noise of the built-in mechanism in a study of seed 1 with common noise, or a part of it.
func gauss(mission, m *message, part float64) [][]float64 {
	var noise privacy.Noise
	noise.Seek(privacy.Address{Seed: 1, Run: m.Run})
	sigma, err := privacy.Guarantee{Epsilon: m.Epsilon, Delta: mission.Mission.Delta,
		Adjacency: mission.Mission.Adjacency, Calibration: privacy.Classical}.Sigma()
	if err != nil {
		panic(err)
	}
	rows := make([][]float64, len(mission.Mission.Rewards))
	for i, row := range mission.Mission.Rewards {
		z := make([]float64, len(row))
		noise.Normals(z)
		for k, r := range row {
			rows[i] = append(rows[i], r+float64(part*sigma*z[k]))
		}
	}
	return rows
}

// laplace adds the noise of the built-in mechanism of that name in a study of seed 1 with common noise.
func laplace(mission, m *message) [][]float64 {
	var noise privacy.Noise
	noise.Seek(privacy.Address{Seed: 1, Run: m.Run})
	scale := mission.Mission.Adjacency / m.Epsilon
	rows := make([][]float64, len(mission.Mission.Rewards))
	for i, row := range mission.Mission.Rewards {
		for _, r := range row {
			rows[i] = append(rows[i], r+float64(scale*noise.Laplace()))
		}
	}
	return rows
}

// geometry believes in the goals that the flight has not come nearer to than the hand-over, by their priors: before it,
// that is all that the built-in observer of that name knows.
func geometry(mission, m *message) [][]float64 {
	rows := make([][]float64, len(m.Ask))
	for k, ask := range m.Ask {
		sum := 0.0
		for _, g := range mission.Mission.Goals {
			p := g.Prior
			for _, s := range m.Track[:ask+1] {
				if math.Hypot(math.Hypot(s[0]-g.At[0], s[1]-g.At[1]), s[2]-g.At[2]) < mission.Mission.Handover {
					p = 0
					break
				}
			}
			rows[k] = append(rows[k], p)
			sum += p
		}
		for i, g := range mission.Mission.Goals {
			if sum == 0 { // handed over: what follows is not compared
				rows[k][i] = g.Prior
			} else {
				rows[k][i] /= sum
			}
		}
	}
	return rows
}

// ballistic predicts by the double integral of an acceleration that decays, T/lambda - (1 - exp(-lambda T))/lambda^2.
func ballistic(mission, m *message) [][3]float64 {
	lambda := mission.Mission.Lambda
	points := make([][3]float64, len(m.Ask))
	for k, i := range m.Ask {
		T := m.EndS - float64(i)*m.StepS
		lag := T*T/2 - lambda*T*T*T/6
		if x := lambda * T; x > 1e-3 {
			lag = T/lambda + math.Expm1(-x)/(lambda*lambda)
		}
		s := m.Track[i]
		for axis := range 3 {
			points[k][axis] = s[axis] + T*s[3+axis] + lag*s[6+axis]
		}
	}
	return points
}
