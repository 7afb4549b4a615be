package sessionrecord_test

import (
	"errors"
	"testing"
	"time"

	"vitae.internal/pkg/clock"
	"vitae.internal/pkg/redisx"
	"vitae.internal/pkg/sessionrecord"
	"vitae.internal/pkg/testkit"
)

// A fill reads the state before a commit. The deletion after the commit is confirmed, the master
// dies, and the fill tries to complete on the promoted replica.
func TestStaleFillCannotWriteAfterFailover(t *testing.T) {
	t.Parallel()
	for name, forget := range map[string]func(t *testing.T, replicas *redisx.Replicas) error{
		"of a credential": func(t *testing.T, replicas *redisx.Replicas) error {
			return sessionrecord.Forget(t.Context(), replicas, ref.AccountID, ref.Hash)
		},
		"of an account": func(t *testing.T, replicas *redisx.Replicas) error {
			return sessionrecord.ForgetAccount(t.Context(), replicas, ref.AccountID)
		},
	} {
		t.Run(name, func(t *testing.T) {
			g := testkit.RedisGroup(t)
			watched := redisx.Config{URL: g.URL(), Sentinel: true}
			master, err := redisx.Open(watched)
			if err != nil {
				t.Fatal(err)
			}
			defer master.Close()
			replicas, err := redisx.NewReplicas(redisx.ReplicasConfig{Client: master, Redis: watched, Clock: clock.System{}})
			if err != nil {
				t.Fatal(err)
			}
			defer replicas.Close()
			complete(t, master, begin(t, master), record("usr_1")) // a record to delete
			lease := begin(t, master)
			deadline := time.Now().Add(time.Minute)
			for forget(t, replicas) != nil { // a busy replica may need several attempts
				if time.Now().After(deadline) {
					t.Fatal("the deletion was never confirmed")
				}
				lease = begin(t, master) // start another fill, which may join the nonce that the deletion set
			}
			if complete(t, master, lease, record("usr_1")) {
				t.Fatal("the stale fill wrote on the master")
			}
			g.Master.Kill()
			promoted := open(t, g.Replicas[0].URL())
			if err := promoted.Do(t.Context(), "REPLICAOF", "NO", "ONE").Err(); err != nil {
				t.Fatal(err)
			}
			if complete(t, promoted, lease, record("usr_1")) {
				t.Error("the stale fill wrote on the promoted server")
			}
			if got := read(t, promoted); got != nil {
				t.Errorf("the promoted server has the record %v", got)
			}
		})
	}
}

// The second deletion finds nothing to delete. It must not count as confirmed for that reason.
func TestRepeatedForgetWaitsForReplicas(t *testing.T) {
	t.Parallel()
	g := testkit.RedisGroup(t)
	rdb := open(t, g.Master.URL())
	if !complete(t, rdb, begin(t, rdb), record("usr_1")) {
		t.Fatal("not written")
	}
	if err := g.Replicas[0].Freeze(); err != nil {
		t.Fatal(err)
	}
	replicas := on(t, rdb)
	for range 3 {
		if err := sessionrecord.Forget(t.Context(), replicas, ref.AccountID, ref.Hash); !errors.Is(err, redisx.ErrUnconfirmed) {
			t.Fatalf("with a frozen replica: %v, want ErrUnconfirmed", err)
		}
	}
	if got := read(t, rdb); got != nil {
		t.Errorf("the master still has the record %v", got)
	}
	if err := g.Replicas[0].Thaw(); err != nil {
		t.Fatal(err)
	}
	deadline := time.Now().Add(time.Minute)
	for sessionrecord.Forget(t.Context(), replicas, ref.AccountID, ref.Hash) != nil {
		if time.Now().After(deadline) {
			t.Fatal("the deletion was never confirmed")
		}
	}
}
