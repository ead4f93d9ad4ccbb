package problem

import "slices"

// matrix reads the entries after T:, O: or R:.
func (c *cassandra) matrix(keyword string) error {
	line := c.at()
	if c.chances == nil {
		return c.wrong(line, "%s before states and actions; name them first", keyword)
	}
	a0, a1, err := c.span(c.actions, "action")
	if err != nil {
		return err
	}
	indices := [3][2]int{}
	names := [3]Names{c.states, c.states, c.observations}
	whats := [3]string{"state", "next state", "observation"}
	if keyword == "O" {
		names[1], whats = c.observations, [3]string{"next state", "observation", ""}
	}
	depth := 0
	for ; depth < 3; depth++ {
		follows, err := c.more()
		if err != nil {
			return err
		}
		if !follows {
			break
		}
		if !c.observed && (depth == 2 || keyword == "O" && depth == 1) {
			if text, err := c.take(); err != nil || text != "*" {
				return c.wrong(line, "observation %q, but none are declared", text)
			}
			continue
		}
		if depth == 2 && keyword != "R" {
			return c.wrong(line, "%s has one index too many", keyword)
		}
		if indices[depth][0], indices[depth][1], err = c.span(names[depth], whats[depth]); err != nil {
			return err
		}
	}
	switch keyword {
	case "T":
		return c.transition(line, a0, a1, indices, depth)
	case "R":
		return c.reward(line, a0, a1, indices, depth)
	}
	return c.observation(depth)
}

// observation skips the numbers of O.
func (c *cassandra) observation(depth int) error {
	if text, err := c.peek(0); err != nil || text == "uniform" {
		if err == nil {
			_, err = c.take()
		}
		return err
	}
	count := 1
	if depth < 2 {
		count *= max(c.observations.count, 1)
	}
	if depth < 1 {
		count *= c.states.count
	}
	_, err := c.numbers(count, true)
	return err
}

func (c *cassandra) transition(line, a0, a1 int, at [3][2]int, depth int) error {
	n := c.states.count
	text, err := c.peek(0)
	if err != nil {
		return err
	}
	s0, s1 := 0, n
	if depth > 0 {
		s0, s1 = at[0][0], at[0][1]
	}
	row := func(s int) []float64 { return nil }
	switch {
	case depth == 2:
		p, err := c.numbers(1, true)
		if err != nil {
			return err
		}
		return c.eachRow(line, a0, a1, s0, s1, func(row, _ int) {
			if c.chances[row] == nil {
				c.chances[row] = map[int32]float64{}
			}
			for y := at[1][0]; y < at[1][1]; y++ {
				c.entries++
				c.chances[row][int32(y)] = p[0]
			}
		}, at[1][1]-at[1][0])
	case text == "reset":
		return c.wrong(line, "reset is not supported; write the transitions to the start")
	case text == "identity" && depth == 0:
		_, err = c.take()
		if err == nil {
			err = c.eachRow(line, a0, a1, s0, s1, func(row, s int) { c.chances[row] = map[int32]float64{int32(s): 1} }, 1)
		}
		return err
	case text == "uniform":
		if _, err := c.take(); err != nil {
			return err
		}
		uniform := slices.Repeat([]float64{1 / float64(n)}, n)
		row = func(int) []float64 { return uniform }
	case depth == 0:
		all, err := c.numbers(n*n, true)
		if err != nil {
			return err
		}
		row = func(s int) []float64 { return all[s*n : (s+1)*n] }
	default:
		one, err := c.numbers(n, true)
		if err != nil {
			return err
		}
		row = func(int) []float64 { return one }
	}
	return c.eachRow(line, a0, a1, s0, s1, func(at, s int) {
		c.chances[at] = map[int32]float64{}
		for y, p := range row(s) {
			if p != 0 {
				c.entries++
				c.chances[at][int32(y)] = p
			}
		}
	}, n)
}

// eachRow visits the rows of actions and states, each of which may hold the given number of entries.
func (c *cassandra) eachRow(line, a0, a1, s0, s1 int, visit func(row, state int), entries int) error {
	if c.entries+(a1-a0)*(s1-s0)*entries > 4*mostCassandra {
		return c.wrong(line, "more than %d entries; write such a large problem as .tra or .parquet", 4*mostCassandra)
	}
	for a := a0; a < a1; a++ {
		for s := s0; s < s1; s++ {
			row := a*c.states.count + s
			c.lines[row] = int32(line)
			visit(row, s)
		}
	}
	return nil
}

func (c *cassandra) reward(line, a0, a1 int, at [3][2]int, depth int) error {
	n, per := c.states.count, 1
	if c.observed && depth < 3 {
		per = c.observations.count
	}
	s0, s1, y0, y1, count := 0, n, 0, n, per
	if depth > 0 {
		s0, s1 = at[0][0], at[0][1]
	} else {
		count *= n
	}
	if depth > 1 {
		y0, y1 = at[1][0], at[1][1]
	} else {
		count *= n
	}
	if depth == 0 && c.observed {
		return c.wrong(line, "R: action without a state; want R: action : state and a matrix over next states and "+
			"observations")
	}
	if depth == 3 && c.observed && at[2][1]-at[2][0] < c.observations.count {
		return c.wrong(line, "the reward depends on the observation, but plans have only states; "+
			"write its mean, with *")
	}
	list, err := c.numbers(count, false)
	if err != nil {
		return err
	}
	for i, x := range list {
		if x != list[i-i%per] {
			return c.wrong(line, "rewards depend on the observation, but plans have only states; "+
				"write their mean")
		}
	}
	value := func(s, y int) float64 {
		switch {
		case depth > 1:
			return list[0]
		case depth == 1:
			return list[(y)*per]
		}
		return list[s*n+y]
	}
	lines := slices.Clone(c.lines)
	defer func() { c.lines = lines }() // R keeps the lines of the transitions
	return c.eachRow(line, a0, a1, s0, s1, func(row, s int) {
		if depth > 1 && y1-y0 == n {
			c.base[row], c.specific[row] = list[0], nil
			return
		}
		if c.specific[row] == nil {
			c.specific[row] = map[int32]float64{}
		}
		for y := y0; y < y1; y++ {
			c.entries++
			c.specific[row][int32(y)] = value(s, y)
		}
	}, y1-y0)
}
