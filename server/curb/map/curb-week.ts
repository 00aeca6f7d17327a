import { LRUCache } from 'lru-cache'
import { civilClock } from '#contract/civil-clock.ts'
import type { CurbMapSituation, CurbMapWeek } from '#contract/curb-map.ts'
import type { CurbState } from '#contract/curb-rules.ts'
import type { Box } from '#contract/place.ts'
import { chargeStay } from '../rules/charge-stay.ts'
import { type CompiledRuleSet, type CurbUser, toVerdict } from '../rules/rule-set.ts'
import { type Moment, type Span, createSpan, timeline } from '../rules/timeline.ts'
import type { CurbEpoch, CurbIndex } from '../store/curb-index.ts'

const [minuteMs, hourMs] = [60_000, 3_600_000]

/** A list in a query, separated by commas. */
export const listIn = (text: string): string[] =>
  text
    .split(',')
    .map((each) => each.trim())
    .filter(Boolean)

export const userIn = (query: { user_classes: string; purposes: string }): CurbUser => ({
  userClasses: listIn(query.user_classes),
  purposes: listIn(query.purposes),
})

/** Designated periods of a region as the rules read them. */
export const calendarOf = ({ zone, settings }: CurbIndex) => ({
  zone,
  periods: new Map(Object.entries(settings.designatedPeriods).map(([name, days]) => [name, new Set(days)])),
})

/** Monday 00:00 local time at or before an instant, and the next one. */
export function weekOf(zone: string, at: number): { from: number; to: number } {
  const clock = civilClock(zone)
  const { day } = clock.local(at)
  // Day 0, 1970-01-01, was a Thursday.
  const monday = day - ((((day + 3) % 7) + 7) % 7)
  return { from: clock.instant(monday, 0).ms, to: clock.instant(monday + 7, 0).ms }
}

const allowed = (moment: Moment, use: 'parking' | 'loading' | 'unloading' | 'stopping'): boolean =>
  moment.deciding[use]?.effects[use] === 'allowed'

/** What a moment means to a driver: the state, and stay and price of the most that is allowed. */
export function mapSituation(moment: Moment, zone: string): CurbMapSituation {
  const use = (['parking', 'loading', 'unloading', 'stopping'] as const).find((each) => allowed(moment, each))
  if (!use) return { state: moment.state, max_stay: null, first_hour: null }
  const { max_stay, rates } = toVerdict(moment.deciding[use], use)
  const first_hour = rates.length ? chargeStay(rates, moment.from, moment.from + hourMs, zone).amount : null
  return { state: moment.state, max_stay, first_hour }
}

/** What a rule set allows at an instant. */
export function situationOf(
  rules: CompiledRuleSet,
  user: CurbUser,
  index: CurbIndex,
  at: number,
): CurbMapSituation {
  for (const moment of timeline(rules, user, createSpan(calendarOf(index), at, at + 1)))
    return mapSituation(moment, index.zone)
  return { state: 'not_regulated', max_stay: null, first_hour: null }
}

/** Computed weeks by region, version, week, epoch and user; each has all rule sets of a city. */
const weeks = new LRUCache<string, CurbMapWeek>({ max: 40 })

/** The states of all rule sets over the local week of an instant. */
export function curbWeek(index: CurbIndex, at: number, user: CurbUser): CurbMapWeek {
  const { from, to } = weekOf(index.zone, at)
  const epoch = index.at(at)
  const epochStart = Math.max(0, epoch.from)
  const key = JSON.stringify([index.regionId, index.version, index.zone, from, epochStart, user])
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
  const span = createSpan(calendarOf(index), from, to)
  const situations = new Map<string, { index: number; situation: CurbMapSituation }>()
  const numberOf = (situation: CurbMapSituation): number => {
    const key = `${situation.state} ${situation.max_stay} ${situation.first_hour}`
    const found = situations.get(key)
    if (found) return found.index
    situations.set(key, { index: situations.size, situation })
    return situations.size - 1
  }
  const { sums, ...summary } = summaryOf(epoch)
  const sets = [...epoch.ruleSets.values()].map(({ id, rules }) => {
    const steps: [number, number][] = []
    for (const moment of timeline(rules, user, span)) {
      const number = numberOf(mapSituation(moment, index.zone))
      if (steps.at(-1)?.[1] !== number) steps.push([Math.round((moment.from - from) / minuteMs), number])
    }
    const { zones, lengthCm } = sums.get(id) ?? { zones: 0, lengthCm: 0 }
    return { rule_set: id, steps, zones, length_m: lengthCm / 100 }
  })
  return {
    version: index.version,
    zone: index.zone,
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

/** What does not depend on the week or the user: computed once for each epoch. */
function summaryOf(epoch: CurbEpoch): ReturnType<typeof summarize> {
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
  bbox: boxOf(epoch),
  ...namesIn(epoch),
})

function sumsByRuleSet(epoch: CurbEpoch): Map<string, { zones: number; lengthCm: number }> {
  const sums = new Map<string, { zones: number; lengthCm: number }>()
  for (const { id, lengthCm } of epoch.zones) {
    const set = epoch.ruleSetOf.get(id)
    if (!set) continue
    const sum = sums.get(set.id) ?? { zones: 0, lengthCm: 0 }
    sum.zones++
    sum.lengthCm += lengthCm
    sums.set(set.id, sum)
  }
  return sums
}

function boxOf({ zones }: CurbEpoch): Box | null {
  if (!zones.length) return null
  const box: Box = [Infinity, Infinity, -Infinity, -Infinity]
  for (const {
    box: [west, south, east, north],
  } of zones) {
    box[0] = Math.min(box[0], west)
    box[1] = Math.min(box[1], south)
    box[2] = Math.max(box[2], east)
    box[3] = Math.max(box[3], north)
  }
  return box
}

/** User classes and purposes that rules name. */
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

/** Meters by state for each hour of the week of an instant, each hour averaged over its time. */
export function curbAllocation(
  index: CurbIndex,
  at: number,
  user: CurbUser,
): { from: number; hours: Partial<Record<CurbState, number>>[]; length_m: number } {
  const { from, to } = weekOf(index.zone, at)
  const epoch = index.at(at)
  const span: Span = createSpan(calendarOf(index), from, to)
  const clock = civilClock(index.zone)
  const monday = clock.local(from).day
  const hourOf = (ms: number): number => {
    const { day, hour } = clock.local(ms)
    return (day - monday) * 24 + hour
  }
  // Milliseconds of each hour of the local week: 0 where the clock skips it, two hours where it shows it twice.
  const hours = Array.from({ length: 168 }, () => ({ ms: 0, meterMs: new Map<CurbState, number>() }))
  const cuts: { from: number; to: number; hour: number }[] = []
  for (let start = from; start < to;) {
    // Offsets are whole quarter hours or, at Lord Howe, half hours.
    const end = Math.min(to, start + 15 * minuteMs)
    const hour = hourOf(start)
    const last = cuts.at(-1)
    if (last?.hour === hour) last.to = end
    else cuts.push({ from: start, to: end, hour })
    start = end
  }
  for (const cut of cuts) hours[cut.hour]!.ms += cut.to - cut.from
  const { sums, length_m } = summaryOf(epoch)
  for (const [id, { lengthCm }] of sums) {
    const rules = epoch.ruleSets.get(id)?.rules
    if (!rules) continue
    let cutAt = 0
    for (const moment of timeline(rules, user, span))
      for (; cutAt < cuts.length; cutAt++) {
        const cut = cuts[cutAt]!
        const overlap = Math.min(cut.to, moment.until) - Math.max(cut.from, moment.from)
        if (overlap > 0) {
          const { meterMs } = hours[cut.hour]!
          meterMs.set(moment.state, (meterMs.get(moment.state) ?? 0) + (overlap * lengthCm) / 100)
        }
        if (cut.to > moment.until) break
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
