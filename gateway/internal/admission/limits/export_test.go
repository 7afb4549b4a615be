package limits

// UseClock makes the scripts tell the time by Lua that sets now, in microseconds.
func (l *Limiter) UseClock(lua string) { l.scripts = newScripts(lua) }

// Remembered is how many accounts and tiers the replica remembers.
func (l *Limiter) Remembered() (accounts, meters int) {
	return l.local.accounts.Len(), l.local.meters.Len()
}

// The bounds of what a replica remembers.
const (
	AccountCount = accountCount
	MeterCount   = meterCount
)
