package bench

import (
	"os"
	"testing"

	"vitae.internal/e2e/internal/stack"
)

// BenchmarkFloors compares a read with three floors, in turn: one bare process, two of them
// that call each other in the clear, and two whose call has the certificates of the parts. What
// the second has above the first is what any system pays that is split at this place and calls
// by gRPC; what the read has above the third is Vitae's own.
func BenchmarkFloors(b *testing.B) {
	for _, path := range []string{"/me", "/me/cv"} {
		b.Run(path[1:], func(b *testing.B) {
			f := floorOfUser(connected(b), path)
			ours := get(system.BaseURLs[0]+pathOfFloor[path](f), f.credential)
			url := startFloor(b, f)
			inTheClear := startFloorApart(b, f, "")
			secured := startFloorApart(b, f, system.TLSDir())
			processes := func() []stack.Process { return stack.Below(os.Getpid()) }
			all := []measured{{busy, get(url, f.credential)}, {busy, get(inTheClear, f.credential)}, {busy, get(secured, f.credential)}, {busy, ours}}
			for b.Loop() {
				runs, _, err := turnByTurn(b.Context(), processes, all)
				if err != nil {
					b.Fatal(err)
				}
				for i, name := range []string{"one-process", "two-in-the-clear", "two-with-tls", "vitae"} {
					var ratios []float64
					for turn, found := range runs[i] {
						ratios = append(ratios, sum(found.micros)/sum(runs[0][turn].micros))
					}
					b.ReportMetric(costOf(runs[i]).all, name+"-µs/req")
					b.ReportMetric(median(ratios), name+"-x-floor")
					b.Logf("%s: times the floor, turn by turn: %s", name, listed("%.2f", ratios))
					b.Logf("%s: %v", name, means(runs[i]))
				}
			}
			b.ReportMetric(0, "ns/op")
		})
	}
}
