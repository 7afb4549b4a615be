package limits

import (
	"vitae.internal/pkg/redisx"
	"vitae.internal/pkg/sessionrecord"
)

// clockLua gives Redis's time in microseconds: all replicas of the edge share it.
const clockLua = `
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
`

// tierLua is Tier.spend in two steps, so that nothing is spent before all is
// checked. Whole numbers up to 2^53 are exact in Lua.
const tierLua = `
local function check_tier(key, burst, per, sustained, length)
  local held = redis.call('HMGET', key, 'level', 'at', 'window', 'spent')
  local at = tonumber(held[2]) or now
  local tier = {key = key, level = math.max(0, (tonumber(held[1]) or 0) - math.max(0, now - at) * burst), per = per, length = length, wait = 0}
  local over = tier.level + per - burst * per
  if over > 0 then
    tier.wait = math.ceil(over / burst)
  end
  tier.window, tier.spent = math.floor(now / length), 0
  tier.begins = tonumber(held[3]) ~= tier.window
  if not tier.begins then
    tier.spent = tonumber(held[4])
  end
  if tier.spent >= sustained then
    tier.wait = math.max(tier.wait, (tier.window + 1) * length - now)
  end
  return tier
end

local function spend_tier(tier)
  redis.call('HSET', tier.key, 'level', tier.level + tier.per, 'at', now, 'window', tier.window, 'spent', tier.spent + 1)
  if tier.begins then
    -- Outlives the window and the bucket's emptying, whenever in the window it was filled.
    redis.call('PEXPIRE', tier.key, math.ceil((2 * tier.length + tier.per) / 1000))
  end
end
`

// admitScript decides on a request of an account.
//
//	KEYS  record, generation, account's counters, tier's counters
//	ARGV  1 whether the caller holds the record itself (0, 1), then in that case
//	      2 suspended (0, 1), 3 per minute, 4 per day;
//	      5 the edge's clock in Unix microseconds, for the credential's expiry;
//	      6 to 9 the tier: burst, its time, sustained, its time (times in
//	      microseconds), burst 0 for none;
//	      10 a day (days since 1970) and 11 what is known to be spent of it, and
//	      12 a minute and 13 what is known to be spent of it; -1 for nothing known
//
// It gives {outcome, Redis's time, spent of the minute, spent of the day, wait in
// microseconds, record}; the record is empty when the caller holds it.
var admitScript = redisx.NewScript(clockLua + sessionrecord.Lua + tierLua + `
local held
if ARGV[1] == '1' then
  held = {raw = '', suspended = ARGV[2] == '1', per_minute = tonumber(ARGV[3]), per_day = tonumber(ARGV[4]), expires = 0}
else
  held = session(KEYS[1], KEYS[2])
end
if not held or (held.expires > 0 and held.expires <= tonumber(ARGV[5])) then
  return {'missing', now, 0, 0, 0, ''}
end

local minute, day = math.floor(now / 60000000), math.floor(now / 86400000000)
local counted = redis.call('HMGET', KEYS[3], 'minute', 'minute_spent', 'day', 'day_spent')
local minute_spent, day_spent, fresh = 0, nil, false
if tonumber(counted[1]) == minute then
  minute_spent = tonumber(counted[2])
end
if tonumber(counted[3]) == day then
  day_spent = tonumber(counted[4])
else
  fresh = true
end
if tonumber(ARGV[10]) == day then
  day_spent = math.max(day_spent or 0, tonumber(ARGV[11]))
end
if tonumber(ARGV[12]) == minute then
  minute_spent = math.max(minute_spent, tonumber(ARGV[13]))
end
if not day_spent then
  return {'unseeded', now, minute_spent, 0, 0, ''}
end

local function keep()
  redis.call('HSET', KEYS[3], 'minute', minute, 'minute_spent', minute_spent, 'day', day, 'day_spent', day_spent)
  if fresh then
    redis.call('PEXPIRE', KEYS[3], math.ceil(((day + 1) * 86400000000 - now) / 1000) + 3600000)
  end
end
local function answer(outcome, wait)
  if fresh then
    keep() -- a refusal must not make the next request look the day up again
  end
  return {outcome, now, minute_spent, day_spent, wait, held.raw}
end

if held.suspended then
  return answer('suspended', 0)
end
local outcome, wait = 'admitted', 0
local function refuse(why, time)
  if time > wait then
    outcome, wait = why, time
  end
end
local tier
if ARGV[6] ~= '0' then
  tier = check_tier(KEYS[4], tonumber(ARGV[6]), tonumber(ARGV[7]), tonumber(ARGV[8]), tonumber(ARGV[9]))
  refuse('tier', tier.wait)
end
if minute_spent >= held.per_minute then
  refuse('minute', (minute + 1) * 60000000 - now)
end
if day_spent >= held.per_day then
  refuse('day', (day + 1) * 86400000000 - now)
  outcome = 'day'
end
if outcome ~= 'admitted' then
  return answer(outcome, wait)
end
if tier then
  spend_tier(tier)
end
minute_spent, day_spent = minute_spent + 1, day_spent + 1
keep()
return {outcome, now, minute_spent, day_spent, 0, held.raw}
`)

// surfaceScript decides on a request of no account: KEYS the tier's counters, ARGV
// the tier. It gives the wait in microseconds, 0 if the request may go.
var surfaceScript = redisx.NewScript(clockLua + tierLua + `
local tier = check_tier(KEYS[1], tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4]))
if tier.wait == 0 then
  spend_tier(tier)
end
return tier.wait
`)
