package form

// Difference is a control whose value differs between two forms.
type Difference struct {
	// Label is the label of the field. Heading is the heading of the entry, or "" if the field is not in an
	// entry.
	Label, Heading string
	Kind           Kind
	// Mine and Stored are the values in the two forms.
	Mine, Stored string
}

// Differences compares two forms of the same kind, control by control. It matches entries by position.
func Differences(mine, stored Form) (all []Difference) {
	held, order := map[string]Difference{}, []string{}
	add := func(heading string, fields []Field, put func(*Difference, string)) {
		for _, f := range fields {
			one, there := held[f.Name]
			if !there {
				order = append(order, f.Name)
				one = Difference{Label: f.Label, Heading: heading, Kind: f.Kind}
			}
			value := f.Value
			if f.On {
				value = on
			}
			put(&one, value)
			held[f.Name] = one
		}
	}
	each := func(form Form, put func(*Difference, string)) {
		for _, g := range form {
			add("", g.Fields, put)
			for _, e := range g.Entries {
				add(e.Heading, e.Fields, put)
			}
		}
	}
	each(mine, func(d *Difference, value string) { d.Mine = value })
	each(stored, func(d *Difference, value string) { d.Stored = value })
	for _, name := range order {
		if one := held[name]; one.Mine != one.Stored {
			all = append(all, one)
		}
	}
	return all
}
