package mail

import "time"

// The mail that anybody may have sent to an address: BudgetBurst at once, and one more every
// BudgetEvery (behaviour: accounts#floods-of-mail).
const (
	BudgetBurst = 5
	BudgetEvery = time.Hour
)
