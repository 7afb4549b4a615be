package child_test

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"vitae.internal/pkg/child"
)

const parentRole = "VITAE_CHILD_TEST_PARENT"

// TestMain also lets the test binary act as the parent that a test kills.
func TestMain(m *testing.M) {
	if os.Getenv(parentRole) != "" {
		p, err := child.Start(child.Options{Cmd: exec.Command("sleep", "600"), Name: "sleep"})
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		fmt.Println(p.Pid())
		select {}
	}
	os.Exit(m.Run())
}

func TestStopSendsEndSignal(t *testing.T) {
	p, err := child.Start(child.Options{Cmd: exec.Command("sleep", "600"), Name: "sleep", End: syscall.SIGINT})
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Stop(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := p.Err(); got == nil || got.Error() != "signal: interrupt" {
		t.Errorf("exited with %v, want signal: interrupt", got)
	}
}

func TestStopKillsChildThatIgnoresSignal(t *testing.T) {
	cmd := exec.Command("sh", "-c", `trap "" TERM; echo ready; while :; do sleep 600; done`)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	p, err := child.Start(child.Options{Cmd: cmd, Name: "stubborn"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := bufio.NewReader(out).ReadString('\n'); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if err := p.Stop(ctx); err == nil {
		t.Error("a killed child was reported as stopped")
	}
	if got := p.Err(); got == nil || got.Error() != "signal: killed" {
		t.Errorf("exited with %v, want signal: killed", got)
	}
}

func TestMissingProgramFailsAtStart(t *testing.T) {
	if _, err := child.Start(child.Options{Cmd: exec.Command("/nonexistent/program"), Name: "program"}); err == nil {
		t.Fatal("started a program that does not exist")
	}
}

func TestChildDiesWithKilledParent(t *testing.T) {
	parent := exec.Command(os.Args[0])
	parent.Env = append(os.Environ(), parentRole+"=1")
	out, err := parent.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := parent.Start(); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	pid, err := strconv.Atoi(strings.TrimSpace(line))
	if err != nil {
		t.Fatal(err)
	}
	if err := parent.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = parent.Wait()

	deadline, tick := time.After(30*time.Second), time.NewTicker(5*time.Millisecond)
	defer tick.Stop()
	for running(pid) {
		select {
		case <-tick.C:
		case <-deadline:
			t.Fatalf("process %d outlived its parent", pid)
		}
	}
}

// running reports whether a process is alive and not a zombie.
func running(pid int) bool {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return false
	}
	_, after, _ := strings.Cut(string(stat), ") ")
	return !strings.HasPrefix(after, "Z")
}
