package main

import "fmt"

// tally counts what became of faults.
type tally struct {
	noticed, invalid int
	unnoticed, hung  []mutant
}

func (t *tally) count(o outcome, m mutant) {
	switch o {
	case noticed:
		t.noticed++
	case unnoticed:
		t.unnoticed = append(t.unnoticed, m)
	case hung:
		t.hung = append(t.hung, m)
	case invalid:
		t.invalid++
	}
}

func (t *tally) add(o tally) {
	t.noticed += o.noticed
	t.invalid += o.invalid
	t.unnoticed = append(t.unnoticed, o.unnoticed...)
	t.hung = append(t.hung, o.hung...)
}

// planted is how many faults count.
func (t *tally) planted() int { return t.noticed + len(t.unnoticed) + len(t.hung) }

// percentage is the share of the planted faults that were noticed. Where there is nothing
// to plant, nothing was missed.
func (t *tally) percentage() float64 {
	if t.planted() == 0 {
		return 100
	}
	return 100 * float64(t.noticed) / float64(t.planted())
}

func (t *tally) line(name string) string {
	return fmt.Sprintf("%s: %d planted, %d noticed, %d unnoticed, %d hung: %.0f %%",
		name, t.planted(), t.noticed, len(t.unnoticed), len(t.hung), t.percentage())
}

func (t *tally) print(least float64) {
	fmt.Println()
	for _, m := range t.unnoticed {
		fmt.Println("unnoticed:", m)
	}
	for _, m := range t.hung {
		fmt.Println("hung:", m)
	}
	fmt.Println(t.line("all"))
	if t.percentage() < least {
		fmt.Printf("At least %.0f %% must be noticed. Write the missing tests; what changes nothing that anybody could see\n"+
			"stands in tools/mutate/equivalents.txt with its reason.\n", least)
	}
}
