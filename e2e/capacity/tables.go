package capacity

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Tables are the tables of docs/scale.md by their names there, as Markdown.
func Tables(c Coefficients, p Plan) map[string]string {
	var needs []Need
	for _, s := range p.Steps {
		needs = append(needs, p.Needs(c, s))
	}
	return map[string]string{
		"origin": originLine(c), "assumed": assumedTable(p),
		"calls": callTable(c, p), "writes": writeTable(c), "rows": rowTable(c), "keys": keyTable(c),
		"steps": stepTable(p, needs), "disk": diskTable(p, needs), "limits": limitTable(c, p),
	}
}

func originLine(c Coefficients) string {
	return fmt.Sprintf("Measured on %s at %s, on %s.\n", c.Measured.On, c.Measured.Revision, c.Measured.Machine)
}

// table writes a table of Markdown. The first row is its head.
func table(rows [][]string) string {
	var b strings.Builder
	for i, row := range rows {
		b.WriteString("| " + strings.Join(row, " | ") + " |\n")
		if i == 0 {
			b.WriteString(strings.Repeat("|---", len(row)) + "|\n")
		}
	}
	return b.String()
}

// columns are the processes of the table of calls. Those of Postgres are added up.
var columns = []string{"gateway", "auth", "candidate", "partnercatalog", "cvrender", "postgres", redisServer}

func callTable(c Coefficients, p Plan) string {
	rows := [][]string{append(append([]string{"call"}, columns...), "all", "of the floor", "of the calls")}
	for _, kind := range p.kinds() {
		call := c.Calls[kind]
		by, all := map[string]float64{}, 0.0
		for process, micros := range call.Micros {
			name, _, _ := strings.Cut(process, "-")
			if process == redisServer {
				name = process
			}
			by[name] += micros
			all += micros
		}
		row := []string{kind}
		for _, column := range columns {
			row = append(row, micros(by[column]))
		}
		floor := ""
		if f := c.FloorMicros[kind]; f > 0 {
			floor = significant(all/f) + " times"
		}
		rows = append(rows, append(row, micros(all), floor, percent(p.Habits.Mix[kind])))
	}
	return table(rows)
}

// kinds are those of the mix, the most frequent first.
func (p Plan) kinds() []string {
	kinds := slices.Sorted(maps.Keys(p.Habits.Mix))
	slices.SortStableFunc(kinds, func(a, b string) int {
		return int(math.Copysign(1, p.Habits.Mix[b]-p.Habits.Mix[a]))
	})
	return kinds
}

func writeTable(c Coefficients) string {
	rows := [][]string{{"call", "bytes of WAL", "flushes", "entries of the request log", "events of the audit log", "bytes of the answer"}}
	for _, kind := range slices.Sorted(maps.Keys(c.Calls)) {
		call := c.Calls[kind]
		rows = append(rows, []string{
			kind, significant(call.WAL), hundredths(call.Flushes), hundredths(call.Logged), hundredths(call.Events), significant(call.Answer),
		})
	}
	return table(rows)
}

func rowTable(c Coefficients) string {
	rows := [][]string{{"one", "database", "rows", "indexes", "together"}}
	for _, kind := range RowKinds {
		r := c.Rows[kind]
		rows = append(rows, []string{kind, r.Database, bytesOf(r.Table), bytesOf(r.Indexes), bytesOf(r.Bytes())})
	}
	return table(rows)
}

func keyTable(c Coefficients) string {
	rows := [][]string{{"key", "bytes"}}
	for _, kind := range KeyKinds {
		rows = append(rows, []string{kind, significant(c.Redis[kind])})
	}
	return table(rows)
}

// line is a row of a table with a column for each step.
func line(name string, needs []Need, value func(Need) string) []string {
	row := []string{name}
	for _, n := range needs {
		row = append(row, value(n))
	}
	return row
}

func head(first string, p Plan) []string {
	row := []string{first}
	for _, s := range p.Steps {
		row = append(row, s.Name)
	}
	return row
}

func stepTable(p Plan, needs []Need) string {
	rows := [][]string{head("people", p), line("calls a second at the busiest time", needs, func(n Need) string { return significant(n.Step.Rate) })}
	for _, part := range parts {
		rows = append(rows, line(part+": cores in use, replicas", needs, func(n Need) string {
			return significant(n.Cores[part]) + ", " + significant(n.Replicas[part])
		}))
	}
	for _, d := range databases {
		rows = append(rows, line("Postgres of "+d+": cores in use", needs, func(n Need) string { return significant(n.DatabaseCores(d)) }))
	}
	for _, d := range databases {
		rows = append(rows, line("Postgres of "+d+": disk", needs, func(n Need) string { return bytesOf(n.Databases[d]) }))
	}
	for _, d := range databases {
		rows = append(rows, line("Postgres of "+d+": memory for what is read often", needs, func(n Need) string { return bytesOf(n.Hot[d]) }))
	}
	return table(append(rows,
		line("log of Postgres (WAL), to the disk and to each standby, a second", needs, func(n Need) string { return bytesOf(n.WAL) }),
		line("flushes of that log a second", needs, func(n Need) string { return significant(n.Flushes) }),
		line("writes to the disks of Postgres a second (IOPS), at most", needs, func(n Need) string { return significant(n.DiskWrites) }),
		line("Redis: cores in use", needs, func(n Need) string { return significant(n.Cores[redisServer]) }),
		line("Redis: memory", needs, func(n Need) string { return bytesOf(n.RedisBytes) }),
		line("bucket of resumes", needs, func(n Need) string { return bytesOf(n.Blobs) }),
		line("answers, bytes a second", needs, func(n Need) string { return bytesOf(n.Network) }),
	))
}

func diskTable(p Plan, needs []Need) string {
	rows := [][]string{head("people", p)}
	for _, kind := range RowKinds {
		rows = append(rows, line(kind, needs, func(n Need) string { return bytesOf(n.Disk[kind]) }))
	}
	return table(rows)
}

func limitTable(c Coefficients, p Plan) string {
	rows := [][]string{append(append([]string{"what is full", "at people"}, head("", p)[1:]...), "turn on", "otherwise")}
	for _, f := range p.Fill(c) {
		row := []string{f.Name, count(f.People)}
		for _, share := range f.Shares {
			row = append(row, percent(share))
		}
		rows = append(rows, append(row, f.Then, f.Otherwise))
	}
	return table(rows)
}

// significant writes two digits that count, or the whole number if it has more.
func significant(v float64) string {
	if v <= 0 {
		return "0"
	}
	if v < 0.005 {
		return "below 0.01"
	}
	step := math.Pow(10, math.Floor(math.Log10(v))-1)
	rounded := math.Round(v/step) * step
	if rounded >= 10 {
		return grouped(strconv.FormatFloat(math.Round(rounded), 'f', 0, 64))
	}
	return strings.TrimSuffix(strings.TrimRight(strconv.FormatFloat(rounded, 'f', 2, 64), "0"), ".")
}

// grouped puts a comma after every three digits.
func grouped(digits string) string {
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}

func hundredths(v float64) string { return strconv.FormatFloat(math.Abs(v), 'f', 2, 64) }

func micros(v float64) string {
	if v == 0 {
		return ""
	}
	return significant(v) + " µs"
}

func percent(share float64) string {
	if share < 0.01 {
		return significant(share*100) + " %"
	}
	return grouped(strconv.FormatFloat(math.Round(share*100), 'f', 0, 64)) + " %"
}

// bytesOf writes bytes in the unit in which they have one to three digits.
func bytesOf(v float64) string {
	units := []string{"B", "kB", "MB", "GB", "TB", "PB"}
	for v >= 999.5 && len(units) > 1 {
		v, units = v/1000, units[1:]
	}
	return significant(v) + " " + units[0]
}

// count writes a number of people in words.
func count(v float64) string {
	switch {
	case v >= 1e9:
		return significant(v/1e9) + " billion"
	case v >= 1e6:
		return significant(v/1e6) + " million"
	}
	return significant(v)
}
