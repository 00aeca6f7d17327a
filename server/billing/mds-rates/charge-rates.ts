import type { CivilClock } from '#contract/civil-clock.ts'
import { hourMs } from '#contract/period.ts'
import type { RateRecurrence, RateUnit } from '#contract/policy-types/mds-rates.ts'
import { maxCount } from '#server/compliance/bounds.ts'
import type { Stretch } from '#server/compliance/days/rules/open-times.ts'
import { decideRules } from '#server/compliance/decide-rules.ts'
import { DwellClocks, type DwellInterval } from '#server/compliance/dwell-clocks.ts'
import type { Rule } from '#server/compliance/rule.ts'
import { appliesToVehicle } from '#server/compliance/vehicles-at.ts'
import type { VehicleTrack } from '#server/compliance/vehicle-track.ts'
import { findUnit, findNextUnitStart, groupUnitsByDay } from './local-units.ts'

/** How a rule charges. */
export interface Rate {
  recurrence: RateRecurrence
  /** Unit of time of recurring rates; otherwise null. */
  unit: RateUnit | null
}

/** A rule of a policy with rates. Rules without a rate are included: they can match vehicles first. */
export type RateRule = Omit<Rule, 'area'> & { rate: Rate | null }

export interface RatedStay extends DwellInterval {
  /** Whether it is within the geographies of the rule with this index. */
  isIn: (rule: number) => boolean
}

/** A vehicle with its stays in order of time. */
export interface RatedVehicle extends Pick<
  VehicleTrack,
  'vehicleType' | 'propulsionTypes' | 'accessibility'
> {
  stays: readonly RatedStay[]
}

/** Requests the charges from `from` to `until`, ms, half open. */
export interface RateQuestion {
  rules: readonly RateRule[]
  /** The times at which the window of each rule is open, at least since `findEvaluationStart`. */
  openTimes: readonly (readonly Stretch[])[]
  clock: CivilClock
  lostMs: number
  from: number
  until: number
}

/** One application of a rate. `quantity` counts matches, or units of time on one local day. */
export interface RateCharge {
  rule: number
  /** Local day number. */
  day: number
  from: number
  until: number
  quantity: number
}

/**
 * A time in which a rule with a rate matches a vehicle, ms, half open. `since`: the start of its dwell time.
 */
interface Match {
  rule: number
  since: number
  from: number
  until: number
}

/** Finds the start of evaluation, before `from`, to know begun units and what matched just before. */
export const findEvaluationStart = ({ from, clock }: Pick<RateQuestion, 'from' | 'clock'>): number =>
  clock.instant(clock.local(from).day, 0).ms - hourMs

const isOpenAt = (stretches: readonly Stretch[], ms: number): boolean =>
  stretches.some(({ from, until }) => from <= ms && ms < until)

/** A stay with the rules that may match the vehicle in it. */
interface StayMatching {
  stay: RatedStay
  /** Indexes of the rules. */
  candidates: ReadonlySet<number>
  clocks: DwellClocks
}

/** Finds moments within a stay at which the matching rule may change. */
function findCuts(
  { rules, openTimes }: RateQuestion,
  { stay, candidates, clocks }: StayMatching,
  [begin, end]: readonly [number, number],
): number[] {
  const cuts = new Set([begin, end])
  const add = (ms: number): void => {
    if (ms > begin && ms < end) cuts.add(ms)
  }
  for (const index of candidates) {
    const { kind, bounds } = rules[index] as RateRule
    add(stay.at + (clocks.silences[index] as number))
    for (const { from, until } of openTimes[index] ?? []) {
      add(from)
      add(until)
    }
    if (kind !== 'time') continue
    add(clocks.since(index) + bounds.minimum)
    add(clocks.since(index) + bounds.maximum)
  }
  return [...cuts].sort((a, b) => a - b)
}

/** Finds the index of the rule for a vehicle's rate at a time; null if none. Order: decision 017. */
function findRuleAt(
  { rules, openTimes }: RateQuestion,
  { stay, candidates, clocks }: StayMatching,
  ms: number,
): number | null {
  const decisions = decideRules(rules, {
    at: ms,
    size: 1,
    hasFleet: true,
    isOpen: (index) => isOpenAt(openTimes[index] ?? [], ms),
    getCandidates: (index) =>
      candidates.has(index) && ms < stay.at + (clocks.silences[index] as number)
        ? [{ vehicle: 0, since: clocks.since(index), speed: NaN }]
        : [],
  })
  const ruleIndex = decisions.findIndex(({ measured, broken }, index) => {
    const { rate, chargesWithin, kind, bounds } = rules[index] as RateRule
    if (!rate) return false
    return chargesWithin ? measured > 0 && (kind !== 'count' || maxCount(bounds) > 0) : broken.length > 0
  })
  return ruleIndex === -1 ? null : ruleIndex
}

/**
 * Finds the matches of a vehicle with rules that have rates, in order of time. Between two cuts nothing
 * changes, so each part is evaluated once, in its middle: at the cut itself a bound is exactly reached, which
 * lasts for no time.
 */
function findMatches(vehicle: RatedVehicle, question: RateQuestion): Match[] {
  const { rules, lostMs, until } = question
  const clocks = new DwellClocks(rules, lostMs)
  const applies = rules.map((rule) => appliesToVehicle(rule, vehicle))
  const first = findEvaluationStart(question)
  const matches: Match[] = []
  for (const stay of vehicle.stays) {
    clocks.enter(stay)
    const [begin, end] = [Math.max(stay.at, first), Math.min(stay.until, until)]
    if (end <= begin) continue
    const candidates = new Set(
      rules.flatMap((_, index) =>
        applies[index] && clocks.countsState(index) && stay.isIn(index) ? [index] : [],
      ),
    )
    if (!candidates.size) continue
    const matching = { stay, candidates, clocks }
    const cuts = findCuts(question, matching, [begin, end])
    for (const [index, from] of cuts.slice(0, -1).entries()) {
      const to = cuts[index + 1] as number
      const rule = findRuleAt(question, matching, (from + to) / 2)
      if (rule === null) continue
      const since = clocks.since(rule)
      const last = matches.at(-1)
      if (last?.until === from && last.rule === rule && last.since === since) last.until = to
      else matches.push({ rule, since, from, until: to })
    }
  }
  return matches
}

/** Returns the matches of one rule, with adjacent ones merged. */
function mergeMatches(matches: readonly Match[], rule: number): Stretch[] {
  const spans: Stretch[] = []
  for (const { from, until } of matches.filter((match) => match.rule === rule)) {
    const last = spans.at(-1)
    if (last?.until === from) last.until = until
    else spans.push({ from, until })
  }
  return spans
}

/**
 * Returns the charges of started units. A vehicle pays each unit once, at the rate of the last rule that it
 * reached in one stay.
 */
function findStartedUnits(
  matches: readonly Match[],
  { rules, clock, from: begins }: RateQuestion,
): Omit<RateCharge, 'day'>[] {
  const charges: Omit<RateCharge, 'day'>[] = []
  /** Units that a match covers in part, by unit and start of the dwell time. */
  const edges = new Map<string, { rule: number; from: number; until: number; begin: number }>()
  for (const { rule, since, from, until } of matches) {
    const { rate } = rules[rule] as RateRule
    if (rate?.recurrence !== 'each_time_unit' || !rate.unit) continue
    const { unit } = rate
    const [first, last] = [findUnit(unit, from, clock), findUnit(unit, until - 1, clock)]
    for (const { begin, next } of last.begin === first.begin ? [first] : [first, last]) {
      const key = `${unit} ${begin} ${since}`
      const existing = edges.get(key)
      edges.set(key, {
        rule,
        begin,
        from: existing?.from ?? Math.max(from, begin),
        until: Math.min(until, next),
      })
    }
    const second = Math.max(first.next, findNextUnitStart(unit, begins, clock))
    for (const units of groupUnitsByDay(unit, second, last.begin, clock)) charges.push({ rule, ...units })
  }
  const once = new Map<string, Omit<RateCharge, 'day'>>()
  for (const { rule, begin, from, until } of edges.values()) {
    const key = `${rule} ${begin}`
    const existing = once.get(key)
    once.set(key, {
      rule,
      from: Math.min(from, existing?.from ?? from),
      until: Math.max(until, existing?.until ?? until),
      quantity: 1,
    })
  }
  return [...charges, ...once.values()]
}

/** Returns the charges of units that the matches of a rule cover completely. */
function completeUnits(rule: number, unit: RateUnit, matches: readonly Match[], question: RateQuestion) {
  const { clock, from: begins } = question
  return mergeMatches(matches, rule).flatMap(({ from, until }): Omit<RateCharge, 'day'>[] => {
    const begin = findNextUnitStart(unit, Math.max(from, begins), clock)
    const last = findUnit(unit, until, clock).begin
    return groupUnitsByDay(unit, begin, last, clock).map((units) => ({ rule, ...units }))
  })
}

/**
 * Returns the charges for ended matches. A match does not end if another rule with this recurrence continues
 * it in the same stay, as tiers of a price by duration do.
 */
function findLeftMatches(matches: readonly Match[], { rules, until: end }: RateQuestion) {
  return matches.flatMap(({ rule, since, until }, index): Omit<RateCharge, 'day'>[] => {
    if ((rules[rule] as RateRule).rate?.recurrence !== 'once_on_unmatch' || until >= end) return []
    const next = matches[index + 1]
    const isContinued =
      next?.from === until &&
      (next.rule === rule ||
        ((rules[next.rule] as RateRule).rate?.recurrence === 'once_on_unmatch' && next.since === since))
    return isContinued ? [] : [{ rule, from: until, until, quantity: 1 }]
  })
}

/**
 * Returns the charges of one vehicle under the rates of a policy: one per match, or per rule and local day
 * for units of time (decision 044).
 */
export function chargeRates(vehicle: RatedVehicle, question: RateQuestion): RateCharge[] {
  const { rules, clock, from, until } = question
  const matches = findMatches(vehicle, question)
  if (!matches.length) return []
  const begin = findEvaluationStart(question)
  const charges = [...findStartedUnits(matches, question), ...findLeftMatches(matches, question)]
  for (const [rule, { rate }] of rules.entries()) {
    if (rate?.recurrence === 'once_on_match')
      for (const span of mergeMatches(matches, rule))
        if (span.from > begin) charges.push({ rule, from: span.from, until: span.from, quantity: 1 })
    if (rate?.recurrence === 'per_complete_time_unit' && rate.unit)
      charges.push(...completeUnits(rule, rate.unit, matches, question))
  }
  const byUnit = new Map<string, RateCharge>()
  const merged: RateCharge[] = []
  for (const charge of charges) {
    if (charge.from < from || charge.from >= until) continue
    const { day } = clock.local(charge.from)
    const isOnce = rules[charge.rule]?.rate?.recurrence.startsWith('once')
    const key = `${charge.rule} ${day}`
    const existing = isOnce ? undefined : byUnit.get(key)
    if (existing) {
      existing.quantity += charge.quantity
      existing.from = Math.min(existing.from, charge.from)
      existing.until = Math.max(existing.until, charge.until)
      continue
    }
    const dayCharge = { ...charge, day }
    merged.push(dayCharge)
    if (!isOnce) byUnit.set(key, dayCharge)
  }
  return merged
}
