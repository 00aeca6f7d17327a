import { LRUCache } from 'lru-cache'
import { civilClock } from '#contract/civil-clock.ts'
import type { CurbMapSituation, CurbMapWeek } from '#contract/curb-map.ts'
import { minuteMs, hourMs } from '#contract/period.ts'
import type { Box } from '#contract/place.ts'
import { chargeStay } from '../rules/charge-stay.ts'
import { type CurbCalendar, createCurbCalendar } from '../rules/local-days.ts'
import { type CompiledRuleSet, type CurbUser, toVerdict } from '../rules/rule-set.ts'
import { type Moment, createSpan, computeTimeline } from '../rules/timeline.ts'
import type { CurbEpoch, CurbIndex } from '../store/curb-index.ts'

/** A question about a curb: what may a user do at an instant (ms since 1970)? */
export interface CurbView {
  index: CurbIndex
  at: number
  user: CurbUser
}

/** Splits a comma-separated list of a query. */
export const splitList = (text: string): string[] =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter(Boolean)

/** Reads the user of a question from lists separated by commas. */
export const readUser = (query: { user_classes: string; purposes: string }): CurbUser => ({
  userClasses: splitList(query.user_classes),
  purposes: splitList(query.purposes),
})

/** Returns the time zone and designated periods of a region. */
export const getCalendar = ({ timezone, settings }: CurbIndex): CurbCalendar =>
  createCurbCalendar(timezone, settings.designatedPeriods)

/** Returns the local week that contains an instant, from Monday 00:00 to the next one (ms). */
export function getLocalWeek(timezone: string, at: number): { from: number; to: number } {
  const clock = civilClock(timezone)
  const { day } = clock.local(at)
  // Day 0, 1970-01-01, was a Thursday.
  const monday = day - ((((day + 3) % 7) + 7) % 7)
  return { from: clock.instant(monday, 0).ms, to: clock.instant(monday + 7, 0).ms }
}

/** Uses of a curb, from the most to the least permissive. */
const usesByPermissiveness = ['parking', 'loading', 'unloading', 'stopping'] as const

/** Returns the state of a curb in a moment, with maximum stay and price of the most permissive allowed use. */
function toMapSituation(moment: Moment, timezone: string): CurbMapSituation {
  const use = usesByPermissiveness.find((name) => moment.deciding[name]?.effects[name] === 'allowed')
  if (!use) return { state: moment.state, max_stay: null, first_hour: null }
  const { max_stay, rates } = toVerdict(moment.deciding[use], use)
  const firstHour = { startMs: moment.from, endMs: moment.from + hourMs, timezone }
  const first_hour = rates.length ? chargeStay(rates, firstHour).amount : null
  return { state: moment.state, max_stay, first_hour }
}

/** Returns the situation of a curb with a rule set at an instant. */
export function mapSituationAt(rules: CompiledRuleSet, { index, at, user }: CurbView): CurbMapSituation {
  // The moment that contains the instant: a span of 1 ms is enough.
  const [moment] = computeTimeline(rules, user, createSpan(getCalendar(index), at, at + 1))
  return moment
    ? toMapSituation(moment, index.timezone)
    : { state: 'not_regulated', max_stay: null, first_hour: null }
}

/** Returns the id of an epoch: its start; 0 for the first epoch, which starts at -Infinity. */
const getEpochId = ({ from }: CurbEpoch): number => Math.max(0, from)

/** Computed weeks by region, version, week, epoch and user. */
const cachedWeeks = new LRUCache<string, CurbMapWeek>({ max: 40 })

/** Returns the states of all rule sets over the local week of an instant. */
export function describeCurbWeek({ index, at, user }: CurbView): CurbMapWeek {
  const { from, to } = getLocalWeek(index.timezone, at)
  const epoch = index.at(at)
  const key = JSON.stringify([index.regionId, index.version, index.timezone, from, getEpochId(epoch), user])
  const cached = cachedWeeks.get(key)
  if (cached) return cached
  const week = computeWeek({ index, at, user }, epoch, { from, to })
  cachedWeeks.set(key, week)
  return week
}

/** Computes the steps of each rule set during a week, as indexes in a list of the distinct situations. */
function computeWeek(
  { index, user }: CurbView,
  epoch: CurbEpoch,
  { from, to }: { from: number; to: number },
): CurbMapWeek {
  const span = createSpan(getCalendar(index), from, to)
  const situations = new Map<string, { index: number; situation: CurbMapSituation }>()
  const getSituationIndex = (situation: CurbMapSituation): number => {
    const key = `${situation.state} ${situation.max_stay} ${situation.first_hour}`
    const existing = situations.get(key)
    if (existing) return existing.index
    situations.set(key, { index: situations.size, situation })
    return situations.size - 1
  }
  const { sums, ...summary } = getSummary(epoch)
  const sets = [...epoch.ruleSets.values()].map(({ id, rules }) => {
    const steps: [minute: number, situationIndex: number][] = []
    for (const moment of computeTimeline(rules, user, span)) {
      const situationIndex = getSituationIndex(toMapSituation(moment, index.timezone))
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
    epoch: getEpochId(epoch),
    ...summary,
    situations: [...situations.values()].map(({ situation }) => situation),
    sets,
  }
}

const summaries = new WeakMap<CurbEpoch, ReturnType<typeof summarize>>()

/** Returns the parts of a response that do not depend on the week or user; computed once per epoch. */
export function getSummary(epoch: CurbEpoch): ReturnType<typeof summarize> {
  const cached = summaries.get(epoch)
  if (cached) return cached
  const summary = summarize(epoch)
  summaries.set(epoch, summary)
  return summary
}

const summarize = (epoch: CurbEpoch) => ({
  sums: sumByRuleSet(epoch),
  zone_count: epoch.zones.length,
  length_m: epoch.zones.reduce((sum, { lengthCm }) => sum + lengthCm, 0) / 100,
  bbox: getBoundingBox(epoch),
  ...listUserClassesAndPurposes(epoch),
})

function sumByRuleSet(epoch: CurbEpoch): Map<string, { zones: number; lengthCm: number }> {
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

function getBoundingBox({ zones }: CurbEpoch): Box | null {
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

/** Returns the user classes and purposes that occur in rules. */
function listUserClassesAndPurposes(epoch: CurbEpoch): { user_classes: string[]; purposes: string[] } {
  const classes = new Set<string>()
  const purposes = new Set<string>()
  for (const { policies } of epoch.ruleSets.values())
    for (const { rules } of policies)
      for (const rule of rules) {
        for (const name of [...(rule.user_classes ?? []), ...(rule.user_classes_except ?? [])])
          classes.add(name)
        for (const name of rule.purposes ?? []) purposes.add(name)
      }
  return { user_classes: [...classes].sort(), purposes: [...purposes].sort() }
}
