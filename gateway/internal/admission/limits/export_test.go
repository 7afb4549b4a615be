package limits

// UseClock makes the scripts use a clock of the test: Lua that sets now, in
// microseconds.
func (l *Limiter) UseClock(lua string) { l.scripts = newScripts(lua) }

// Remembered is how many accounts and meters the replica remembers.
func (l *Limiter) Remembered() (accounts, meters int) {
	return l.local.accounts.Len(), l.local.meters.Len()
}

// The bounds of the replica's memory.
const (
	AccountCount = accountCount
	MeterCount   = meterCount
)
