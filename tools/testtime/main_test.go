package main

import (
	"fmt"
	"strings"
	"testing"
)

func TestSlowestTestsAreListedFirst(t *testing.T) {
	packages, tests, err := slowest(strings.NewReader(`{"Action":"run","Package":"a","Test":"TestA"}
{"Action":"output","Package":"a","Test":"TestA","Output":"=== RUN\n"}
{"Action":"pass","Package":"a","Test":"TestA/x","Elapsed":9}
{"Action":"pass","Package":"a","Test":"TestA","Elapsed":1.5}
{"Action":"fail","Package":"a","Test":"TestB","Elapsed":2.5}
{"Action":"pass","Package":"a","Elapsed":4}
{"Action":"skip","Package":"empty","Elapsed":7}
{"Action":"pass","Package":"b","Elapsed":5}
`))
	if err != nil {
		t.Fatal(err)
	}
	if got, want := fmt.Sprint(packages, tests), "[{b 5} {a 4}] [{a TestB 2.5} {a TestA 1.5}]"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestTruncatedEventsAreAnError(t *testing.T) {
	if _, _, err := slowest(strings.NewReader(`{"Action":"pa`)); err == nil {
		t.Error("no error")
	}
}

func TestIdleReturnsIdleShareOfCPUTime(t *testing.T) {
	// 100 ticks: 40 user, 10 system, 45 idle, 5 waiting for a disk.
	share, err := idle("cpu  100 0 100 100 100 0 0 0 0 0", "cpu  140 0 110 145 105 0 0 0 40 0\ncpu0 1 2 3")
	if err != nil || share != 0.5 {
		t.Errorf("idle %v, %v; want 0.5", share, err)
	}
	for _, bad := range []string{"", "cpu0 1 2 3 4 5 6 7 8", "cpu 1 2 3 x 5 6 7 8"} {
		if _, err := idle(bad, "cpu 1 1 1 1 1 1 1 1"); err == nil {
			t.Errorf("%q: no error", bad)
		}
	}
}
