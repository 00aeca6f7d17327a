import { LRUCache } from 'lru-cache'
import { civilClock } from '#contract/civil-clock.ts'
import type { CurbMapSituation, CurbMapWeek } from '#contract/curb-map.ts'
import type { CurbState } from '#contract/curb-rules.ts'
import type { Box } from '#contract/place.ts'
import { chargeStay } from '../rules/charge-stay.ts'
import { type CurbCalendar, curbCalendar } from '../rules/local-days.ts'
import { type CompiledRuleSet, type CurbUser, toVerdict } from '../rules/rule-set.ts'
import { type Moment, type Span, createSpan, timeline } from '../rules/timeline.ts'
import type { CurbEpoch, CurbIndex } from '../store/curb-index.ts'

const [minuteMs, hourMs] = [60_000, 3_600_000]

/** Splits a comma-separated list of a query. */
export const splitList = (text: string): string[] =>
  text
    .split(',')
    .map((each) => each.trim())
    .filter(Boolean)

/** The vehicle and purpose of a query. */
export const readUser = (query: { user_classes: string; purposes: string }): CurbUser => ({
  userClasses: splitList(query.user_classes),
  purposes: splitList(query.purposes),
})

/** The time zone and designated periods of a region. */
export const getCalendar = ({ timezone, settings }: CurbIndex): CurbCalendar =>
  curbCalendar(timezone, settings.designatedPeriods)

/** The local week that contains an instant, from Monday 00:00 to the next one (ms). */
export function localWeek(zone: string, at: number): { from: number; to: number } {
  const clock = civilClock(zone)
  const { day } = clock.local(at)
  // Day 0, 1970-01-01, was a Thursday.
  const monday = day - ((((day + 3) % 7) + 7) % 7)
  return { from: clock.instant(monday, 0).ms, to: clock.instant(monday + 7, 0).ms }
}

const isAllowed = (moment: Moment, use: 'parking' | 'loading' | 'unloading' | 'stopping'): boolean =>
  moment.deciding[use]?.effects[use] === 'allowed'

/**
 * What a driver may do in a moment: the state, and the maximum stay and price of the most permissive allowed
 * use.
 */
export function mapSituation(moment: Moment, zone: string): CurbMapSituation {
  const use = (['parking', 'loading', 'unloading', 'stopping'] as const).find((each) =>
    isAllowed(moment, each),
  )
  if (!use) return { state: moment.state, max_stay: null, first_hour: null }
  const { max_stay, rates } = toVerdict(moment.deciding[use], use)
  const firstHour = { startMs: moment.from, endMs: moment.from + hourMs, timezone: zone }
  const first_hour = rates.length ? chargeStay(rates, firstHour).amount : null
  return { state: moment.state, max_stay, first_hour }
}

/** What a driver may do by a rule set at an instant. */
export function mapSituationAt(
  rules: CompiledRuleSet,
  user: CurbUser,
  index: CurbIndex,
  at: number,
): CurbMapSituation {
  for (const moment of timeline(rules, user, createSpan(getCalendar(index), at, at + 1)))
    return mapSituation(moment, index.timezone)
  return { state: 'not_regulated', max_stay: null, first_hour: null }
}

/** Computed weeks by region, version, week, epoch and user. */
const weeks = new LRUCache<string, CurbMapWeek>({ max: 40 })

/** The states of all rule sets over the local week of an instant. */
export function curbWeek(index: CurbIndex, at: number, user: CurbUser): CurbMapWeek {
  const { from, to } = localWeek(index.timezone, at)
  const epoch = index.at(at)
  const epochStart = Math.max(0, epoch.from)
  const key = JSON.stringify([index.regionId, index.version, index.timezone, from, epochStart, user])
  const known = weeks.get(key)
  if (known) return known
  const week = computeWeek(index, epoch, { from, to }, user)
  weeks.set(key, week)
  return week
}

function computeWeek(
  index: CurbIndex,
  epoch: CurbEpoch,
  { from, to }: { from: number; to: number },
  user: CurbUser,
): CurbMapWeek {
  const span = createSpan(getCalendar(index), from, to)
  const situations = new Map<string, { index: number; situation: CurbMapSituation }>()
  const indexOfSituation = (situation: CurbMapSituation): number => {
    const key = `${situation.state} ${situation.max_stay} ${situation.first_hour}`
    const known = situations.get(key)
    if (known) return known.index
    situations.set(key, { index: situations.size, situation })
    return situations.size - 1
  }
  const { sums, ...summary } = getSummary(epoch)
  const sets = [...epoch.ruleSets.values()].map(({ id, rules }) => {
    const steps: [minute: number, situationIndex: number][] = []
    for (const moment of timeline(rules, user, span)) {
      const situationIndex = indexOfSituation(mapSituation(moment, index.timezone))
      const [, lastIndex] = steps.at(-1) ?? []
      if (lastIndex !== situationIndex)
        steps.push([Math.round((moment.from - from) / minuteMs), situationIndex])
    }
    const { zones, lengthCm } = sums.get(id) ?? { zones: 0, lengthCm: 0 }
    return { rule_set: id, steps, zones, length_m: lengthCm / 100 }
  })
  return {
    version: index.version,
    zone: index.timezone,
    currency: index.currency,
    from,
    to,
    valid_from: Math.max(from, epoch.from),
    valid_to: Math.min(to, epoch.to ?? to),
    epoch: Math.max(0, epoch.from),
    ...summary,
    situations: [...situations.values()].map(({ situation }) => situation),
    sets,
  }
}

const summaries = new WeakMap<CurbEpoch, ReturnType<typeof summarize>>()

/** The parts of a response that do not depend on the week or the user. They are computed once per epoch. */
function getSummary(epoch: CurbEpoch): ReturnType<typeof summarize> {
  const known = summaries.get(epoch)
  if (known) return known
  const summary = summarize(epoch)
  summaries.set(epoch, summary)
  return summary
}

const summarize = (epoch: CurbEpoch) => ({
  sums: sumsByRuleSet(epoch),
  zone_count: epoch.zones.length,
  length_m: epoch.zones.reduce((sum, { lengthCm }) => sum + lengthCm, 0) / 100,
  bbox: boundingBox(epoch),
  ...namesIn(epoch),
})

function sumsByRuleSet(epoch: CurbEpoch): Map<string, { zones: number; lengthCm: number }> {
  const sums = new Map<string, { zones: number; lengthCm: number }>()
  for (const { id, lengthCm } of epoch.zones) {
    const set = epoch.ruleSetByZone.get(id)
    if (!set) continue
    const sum = sums.get(set.id) ?? { zones: 0, lengthCm: 0 }
    sum.zones++
    sum.lengthCm += lengthCm
    sums.set(set.id, sum)
  }
  return sums
}

function boundingBox({ zones }: CurbEpoch): Box | null {
  if (!zones.length) return null
  let [west, south, east, north]: Box = [Infinity, Infinity, -Infinity, -Infinity]
  for (const { box } of zones) {
    const [zoneWest, zoneSouth, zoneEast, zoneNorth] = box
    west = Math.min(west, zoneWest)
    south = Math.min(south, zoneSouth)
    east = Math.max(east, zoneEast)
    north = Math.max(north, zoneNorth)
  }
  return [west, south, east, north]
}

/** The user classes and purposes that occur in rules. */
function namesIn(epoch: CurbEpoch): { user_classes: string[]; purposes: string[] } {
  const classes = new Set<string>()
  const purposes = new Set<string>()
  for (const { policies } of epoch.ruleSets.values())
    for (const { rules } of policies)
      for (const rule of rules) {
        for (const each of [...(rule.user_classes ?? []), ...(rule.user_classes_except ?? [])])
          classes.add(each)
        for (const each of rule.purposes ?? []) purposes.add(each)
      }
  return { user_classes: [...classes].sort(), purposes: [...purposes].sort() }
}

/** Meters of curb by state for each hour of the week of an instant, averaged over the hour. */
export function curbAllocation(
  index: CurbIndex,
  at: number,
  user: CurbUser,
): { from: number; hours: Partial<Record<CurbState, number>>[]; length_m: number } {
  const { from, to } = localWeek(index.timezone, at)
  const epoch = index.at(at)
  const span: Span = createSpan(getCalendar(index), from, to)
  const clock = civilClock(index.timezone)
  const monday = clock.local(from).day
  const hourOfWeek = (ms: number): number => {
    const { day, hour } = clock.local(ms)
    return (day - monday) * 24 + hour
  }
  // The length of each hour of the local week: 0 if the clock skips it, two hours if it shows it twice.
  const hours = Array.from({ length: 168 }, () => ({ ms: 0, meterMs: new Map<CurbState, number>() }))
  const slots: { from: number; to: number; hour: number }[] = []
  for (let start = from; start < to;) {
    // Offsets from UTC are multiples of 15 minutes, so hours begin and end at such steps.
    const end = Math.min(to, start + 15 * minuteMs)
    const hour = hourOfWeek(start)
    const last = slots.at(-1)
    if (last?.hour === hour) last.to = end
    else slots.push({ from: start, to: end, hour })
    start = end
  }
  for (const slot of slots) hours[slot.hour]!.ms += slot.to - slot.from
  const { sums, length_m } = getSummary(epoch)
  for (const [id, { lengthCm }] of sums) {
    const rules = epoch.ruleSets.get(id)?.rules
    if (!rules) continue
    let slotIndex = 0
    for (const moment of timeline(rules, user, span))
      for (; slotIndex < slots.length; slotIndex++) {
        const slot = slots[slotIndex]!
        const overlap = Math.min(slot.to, moment.until) - Math.max(slot.from, moment.from)
        if (overlap > 0) {
          const { meterMs } = hours[slot.hour]!
          meterMs.set(moment.state, (meterMs.get(moment.state) ?? 0) + (overlap * lengthCm) / 100)
        }
        if (slot.to > moment.until) break
      }
  }
  const meters = ({ ms, meterMs }: (typeof hours)[number]): Partial<Record<CurbState, number>> =>
    Object.fromEntries([...meterMs].map(([state, sum]) => [state, Math.round((sum / ms) * 100) / 100]))
  return {
    from,
    hours: hours.map((hour) => (hour.ms ? meters(hour) : {})),
    length_m,
  }
}
