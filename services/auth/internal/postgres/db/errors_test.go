package db_test

import (
	"context"
	"strings"
	"testing"

	"vitae.internal/pkg/testkit"
	"vitae.internal/services/auth/internal/authtest"
	"vitae.internal/services/auth/internal/platform/account"
)

func TestMain(m *testing.M) { testkit.Main(m) }

func TestTransactionErrorNamesTheStoreOnce(t *testing.T) {
	t.Parallel()
	w := authtest.New(t)
	accountID := w.Confidential().AccountID
	gone, leave := context.WithCancel(t.Context())
	leave()
	_, _, err := w.Stores.Accounts.SetPlan(gone, accountID, account.Plan{Name: account.Elevated}, w.Clock.Now())
	if err == nil || strings.Count(err.Error(), "auth store:") != 1 {
		t.Errorf("the message is %v", err)
	}
}
