package forget_test

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"sync"
	"testing"
	"time"

	"vitae.internal/pkg/clock"
	"vitae.internal/pkg/errs"
	"vitae.internal/services/auth/internal/forget"
)

var quiet = slog.New(slog.NewTextHandler(io.Discard, nil))

// faulty is a Redis that can be told from the given call on.
type faulty struct {
	mu      sync.Mutex
	upAfter int
	calls   int
	told    []forget.Order
}

func (f *faulty) tell(o forget.Order) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.calls++
	if f.calls <= f.upAfter {
		return errors.New("down")
	}
	f.told = append(f.told, o)
	return nil
}

func (f *faulty) Forget(_ context.Context, accountID string, hashes []forget.Hash) error {
	return f.tell(forget.Order{AccountID: accountID, Hashes: hashes})
}

func (f *faulty) ForgetAccount(_ context.Context, accountID string) error {
	return f.tell(forget.Order{AccountID: accountID, WholeAccount: true})
}

// outbox is the orders that are there.
type outbox struct{ orders []forget.Order }

func (o *outbox) DropOrder(_ context.Context, id int64) error {
	for i, order := range o.orders {
		if order.ID == id {
			o.orders = append(o.orders[:i:i], o.orders[i+1:]...)
			break
		}
	}
	return nil
}

func (o *outbox) HashesOf(context.Context, forget.Order) ([]forget.Hash, error) {
	return []forget.Hash{{1}}, nil
}

func (o *outbox) Orders(_ context.Context, before time.Time, atMost int) (left []forget.Order, err error) {
	for _, order := range o.orders {
		if order.At.Before(before) && len(left) < atMost {
			left = append(left, order)
		}
	}
	return left, nil
}

var start = time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)

func order() forget.Order {
	return forget.Order{ID: 7, AccountID: "dev_1", Hashes: []forget.Hash{{1}}, At: start}
}

func TestTellTriesUntilRedisIsTold(t *testing.T) {
	records, box := &faulty{upAfter: 2}, &outbox{orders: []forget.Order{order()}}
	if err := forget.NewTeller(records, box, time.Hour, quiet).Tell(t.Context(), order()); err != nil {
		t.Fatal(err)
	}
	if len(records.told) != 1 || len(box.orders) != 0 {
		t.Errorf("told %v, left %v", records.told, box.orders)
	}
}

func TestTellReturnsNoSoonerThanRecordsHaveDied(t *testing.T) {
	const waitOut = 450 * time.Millisecond
	records, box := &faulty{upAfter: 1 << 30}, &outbox{orders: []forget.Order{order()}}
	begun := time.Now()
	if err := forget.NewTeller(records, box, waitOut, quiet).Tell(t.Context(), order()); err != nil {
		t.Fatal(err)
	}
	if took := time.Since(begun); took < waitOut {
		t.Errorf("returned after %v", took)
	}
	if len(box.orders) != 0 {
		t.Error("the order stays although there is nothing left to forget")
	}
}

func TestTellDoesNotReportSuccessToACallerThatCannotWait(t *testing.T) {
	records, box := &faulty{upAfter: 1 << 30}, &outbox{orders: []forget.Order{order()}}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	err := forget.NewTeller(records, box, time.Hour, quiet).Tell(ctx, order())
	if errs.KindOf(err) != errs.Unavailable {
		t.Errorf("returned %v", err)
	}
	if len(box.orders) != 1 {
		t.Error("the order is lost")
	}
}

func TestWorkerLeavesYoungOrdersToTheirTeller(t *testing.T) {
	records, box, c := &faulty{}, &outbox{orders: []forget.Order{order()}}, clock.NewFake(start)
	w := forget.NewWorker(forget.NewTeller(records, box, time.Hour, quiet), box, c, quiet)
	if err := w.RunOnce(t.Context()); err != nil || len(records.told) != 0 {
		t.Fatalf("told %v, %v", records.told, err)
	}
	c.Advance(3 * time.Second)
	if err := w.RunOnce(t.Context()); err != nil || len(records.told) != 1 || len(box.orders) != 0 {
		t.Fatalf("told %v, left %v, %v", records.told, box.orders, err)
	}
}

func TestWorkerKeepsOrdersWhileRedisIsDownUntilTheyAreObsolete(t *testing.T) {
	records, box, c := &faulty{upAfter: 1 << 30}, &outbox{orders: []forget.Order{order()}}, clock.NewFake(start)
	w := forget.NewWorker(forget.NewTeller(records, box, time.Hour, quiet), box, c, quiet)
	c.Advance(time.Minute)
	if err := w.RunOnce(t.Context()); err != nil || len(box.orders) != 1 {
		t.Fatalf("left %v, %v", box.orders, err)
	}
	c.Advance(time.Hour)
	if err := w.RunOnce(t.Context()); err != nil || len(box.orders) != 0 {
		t.Fatalf("left %v, %v", box.orders, err)
	}
}

func TestWorkerAsksAFailingRedisOncePerRound(t *testing.T) {
	records, box, c := &faulty{upAfter: 1 << 30}, &outbox{}, clock.NewFake(start)
	for i := range int64(40) {
		o := order()
		o.ID = i + 1
		box.orders = append(box.orders, o)
	}
	w := forget.NewWorker(forget.NewTeller(records, box, time.Hour, quiet), box, c, quiet)
	c.Advance(time.Minute)
	if err := w.RunOnce(t.Context()); err != nil || records.calls != 1 || len(box.orders) != 40 {
		t.Fatalf("%d calls, %d orders left, %v", records.calls, len(box.orders), err)
	}
}

// stuck is an outbox whose rows are locked by someone.
type stuck struct{ outbox }

func (*stuck) DropOrder(ctx context.Context, _ int64) error {
	<-ctx.Done()
	return ctx.Err()
}

func TestTellDoesNotWaitForARowThatIsLocked(t *testing.T) {
	if err := forget.NewTeller(&faulty{}, &stuck{}, time.Hour, quiet).Tell(t.Context(), order()); err != nil {
		t.Fatal(err)
	}
}
