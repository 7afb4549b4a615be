package limits

import (
	"vitae.internal/pkg/redisx"
	"vitae.internal/pkg/sessionrecord"
)

// The scripts are optimized for speed, because every request runs one. The counters in a key are stored as one
// short string, because each call and each number passed between Lua and Redis takes about a microsecond. There
// are few functions, because every run creates them again. Integers up to 2^53 are exact in Lua.

// clockLua reads Redis's time in microseconds. All replicas share this clock.
const clockLua = `
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
`

type scripts struct{ admit, surface, window, standing *redisx.Script }

func newScripts(clock string) scripts {
	return scripts{
		admit:    redisx.NewScript(clock + sessionrecord.Lua + tierLua + admitLua),
		surface:  redisx.NewScript(clock + tierLua + surfaceLua),
		window:   redisx.NewScript(clock + windowLua),
		standing: redisx.NewScript(clock + standingLua),
	}
}

var onRedisTime = newScripts(clockLua)

// tierLua implements Tier.chargeWithOthers in two steps, so that every limit is checked before any limit is
// charged. The counters of a tier are "level at window used" (see meter).
const tierLua = `
local function check_tier(counters, burst, per, sustained, length, others)
  local level, at, held, spent = string.match(counters or '0 0 0 0', '(%d+) (%d+) (%d+) (%d+)')
  level = math.max(0, level - math.max(0, now - at) * burst)
  local wait, over = 0, level + per + others * per - burst * per
  if over > 0 then
    wait = math.ceil(over / burst)
  end
  local window = math.floor(now / length)
  local begins = tonumber(held) ~= window
  spent = begins and 0 or tonumber(spent)
  if spent + others >= sustained then
    wait = math.max(wait, (window + 1) * length - now)
  end
  return wait, level, window, spent, begins
end

local function spend_tier(key, per, length, level, window, spent, begins)
  local counters = string.format('%d %d %d %d', level + per, now, window, spent + 1)
  if begins then
    -- The key expires once the window has ended and the bucket is empty, not
    -- later, because each subject that a client names takes a key.
    redis.call('SET', key, counters, 'PX', math.ceil(((window + 1) * length - now + per) / 1000))
  else
    redis.call('SET', key, counters, 'KEEPTTL')
  end
end
`

// admitLua decides whether to admit a request on behalf of an account.
//
//	KEYS  record, generation, account's counters, tier's counters
//	ARGV  1 whether the caller has the record (0, 1); if so,
//	      2 suspended (0, 1), 3 per minute, 4 per day;
//	      5 the gateway's clock in Unix microseconds, for the credential's expiry;
//	      6 to 9 the tier: burst, its period, sustained, its period (periods in
//	      microseconds), burst 0 for none;
//	      10 a day (days since 1970) and 11 its usage according to the auth service, with
//	      day 0 if the service was not asked;
//	      12 a day and 13 its usage that the replica remembers;
//	      14 a minute and 15 its usage that the replica remembers
//
// An account's counters are "minute usage day usage", minute and day numbered since 1970. It
// returns {outcome, Redis's time, usage of the minute, usage of the day, wait in microseconds,
// fields of the record}; the last is nil unless the decision is based on a record from Redis. The
// script cannot verify that record. It always charges the counters in KEYS, which belong to the
// credential's own account. The caller must discard the decision if the record is forged.
const admitLua = `
local held = redis.call('MGET', KEYS[2], KEYS[3], KEYS[4])
local record, suspended, per_minute, per_day = false, ARGV[2], ARGV[3], ARGV[4]
if ARGV[1] == '0' then
  record = session(KEYS[1], held[1])
  -- A forged record may have text instead of a number.
  if not record or (record[6] ~= '0' and (tonumber(record[6]) or 0) <= tonumber(ARGV[5])) then
    return {'missing', now, 0, 0, 0, false}
  end
  suspended, per_minute, per_day = record[3], record[4], record[5]
end

local minute, day = math.floor(now / 60000000), math.floor(now / 86400000000)
local held_minute, minute_spent, held_day, day_spent =
  string.match(held[2] or '0 0 0 0', '(%d+) (%d+) (%d+) (%d+)')
minute_spent = tonumber(held_minute) == minute and tonumber(minute_spent) or 0
local fresh = false
if tonumber(held_day) == day then
  day_spent = tonumber(day_spent)
else
  if tonumber(ARGV[10]) ~= day then
    return {'unseeded', now, minute_spent, 0, 0, false}
  end
  day_spent, fresh = tonumber(ARGV[11]), true
end
-- The replica remembers requests that it admitted without Redis, and requests whose
-- counter Redis has lost. They stay charged.
if tonumber(ARGV[12]) == day then
  day_spent = math.max(day_spent, tonumber(ARGV[13]))
end
if tonumber(ARGV[14]) == minute then
  minute_spent = math.max(minute_spent, tonumber(ARGV[15]))
end

local outcome, wait = 'admitted', 0
local level, window, spent, begins
if suspended == '1' then
  outcome = 'suspended'
else
  if ARGV[6] ~= '0' then
    wait, level, window, spent, begins = check_tier(held[3], ARGV[6], ARGV[7], tonumber(ARGV[8]), ARGV[9], 0)
    if wait > 0 then
      outcome = 'tier'
    end
  end
  if minute_spent >= (tonumber(per_minute) or 0) then
    local ends = (minute + 1) * 60000000 - now
    if ends > wait then
      outcome, wait = 'minute', ends
    end
  end
  if day_spent >= (tonumber(per_day) or 0) then
    outcome, wait = 'day', math.max(wait, (day + 1) * 86400000000 - now)
  end
end

if outcome == 'admitted' then
  if level then
    spend_tier(KEYS[4], ARGV[7], ARGV[9], level, window, spent, begins)
  end
  minute_spent, day_spent = minute_spent + 1, day_spent + 1
elseif not fresh then
  return {outcome, now, minute_spent, day_spent, wait, record}
end
-- A rejected request also stores a day that was just looked up.
local counters = string.format('%d %d %d %d', minute, minute_spent, day, day_spent)
if fresh then
  redis.call('SET', KEYS[3], counters, 'PX', math.ceil(((day + 1) * 86400000000 - now) / 1000) + 3600000)
else
  redis.call('SET', KEYS[3], counters, 'KEEPTTL')
end
return {outcome, now, minute_spent, day_spent, wait, record}
`

// surfaceLua decides whether to admit a request that has no account. KEYS contains the key of the tier's
// counters. ARGV contains the tier, whether to charge the request (1 or 0), and how many other requests may be
// charged later. The script returns the wait in microseconds, which is 0 if the tier allows the request, and
// Redis's time.
const surfaceLua = `
local wait, level, window, spent, begins = check_tier(redis.call('GET', KEYS[1]), ARGV[1], ARGV[2], tonumber(ARGV[3]), ARGV[4], tonumber(ARGV[6]))
if wait == 0 and ARGV[5] == '1' then
  spend_tier(KEYS[1], ARGV[2], ARGV[4], level, window, spent, begins)
end
return {wait, now}
`

// windowLua decides whether a single rate allows a request. KEYS contains the key of the counter,
// whose value is "window usage".
//
//	ARGV  1 the count of the rate, 2 its period in microseconds;
//	      3 the requests to charge (1 or 0);
//	      4 a window (numbered since 1970) and 5 its usage that the replica remembers.
//
// It returns {Redis's time, usage of the window, whether the request is rejected}.
const windowLua = `
local held, spent = string.match(redis.call('GET', KEYS[1]) or '0 0', '(%d+) (%d+)')
local length = tonumber(ARGV[2])
local window = math.floor(now / length)
spent = tonumber(held) == window and tonumber(spent) or 0
-- The replica remembers requests that it admitted without Redis, and requests whose
-- counter Redis has lost. They stay charged.
if tonumber(ARGV[4]) == window then
  spent = math.max(spent, tonumber(ARGV[5]))
end
if ARGV[3] == '0' then
  return {now, spent, 0}
end
if spent >= tonumber(ARGV[1]) then
  return {now, spent, 1}
end
spent = spent + 1
redis.call('SET', KEYS[1], string.format('%d %d', window, spent), 'PX', math.ceil(((window + 1) * length - now) / 1000))
return {now, spent, 0}
`

// standingLua reads the counters of an account, whose key is in KEYS. It returns {Redis's time, minute, its
// usage, day, its usage}. The numbers are zero if there are no counters.
const standingLua = `
local minute, minute_spent, day, day_spent = string.match(redis.call('GET', KEYS[1]) or '0 0 0 0', '(%d+) (%d+) (%d+) (%d+)')
return {now, tonumber(minute) or 0, tonumber(minute_spent) or 0, tonumber(day) or 0, tonumber(day_spent) or 0}
`
