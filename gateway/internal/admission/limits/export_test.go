package limits

// UseClock makes the scripts read the test's clock. lua is the code that sets now, in microseconds.
func (l *Limiter) UseClock(lua string) { l.scripts = newScripts(lua) }

// Remembered returns the number of accounts and meters in the replica's memory.
func (l *Limiter) Remembered() (accounts, meters int) {
	return l.local.accounts.Len(), l.local.meters.Len()
}

// These are the maximum sizes of the replica's memory.
const (
	AccountCount = accountCount
	MeterCount   = meterCount
)
