import type { CivilClock } from '#contract/civil-clock.ts'
import { hourMs } from '#contract/period.ts'
import type { RateRecurrence, RateUnit } from '#contract/policy-types/mds-rates.ts'
import { getMaxCount } from '#server/compliance/bounds.ts'
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

/** A time in which a vehicle does not change its place and state. */
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
  /** Silence after which a vehicle is lost. */
  lostMs: number
  from: number
  until: number
}

/** One application of a rate. `quantity` counts matches, or units of time on one local day. */
export interface RateCharge {
  /** Index of the rule. */
  rule: number
  /** Local day number. */
  day: number
  from: number
  until: number
  quantity: number
}

/** A time in which a rule with a rate matches a vehicle, ms, half open. */
interface Match {
  /** Index of the rule. */
  rule: number
  /** The start of the vehicle's dwell time. */
  since: number
  from: number
  until: number
}

/** Returns the start of evaluation: before `from`, to include begun units and what matched just before. */
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
  const addCut = (ms: number): void => {
    if (ms > begin && ms < end) cuts.add(ms)
  }
  for (const index of candidates) {
    const { kind, bounds } = rules[index] as RateRule
    addCut(stay.at + (clocks.silences[index] as number))
    for (const { from, until } of openTimes[index] ?? []) {
      addCut(from)
      addCut(until)
    }
    if (kind !== 'time') continue
    addCut(clocks.since(index) + bounds.minimum)
    addCut(clocks.since(index) + bounds.maximum)
  }
  return [...cuts].sort((a, b) => a - b)
}

/** Finds the index of the rule with the vehicle's rate at a moment; null if none applies (decision 017). */
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
    return chargesWithin ? measured > 0 && (kind !== 'count' || getMaxCount(bounds) > 0) : broken.length > 0
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
  const ruleApplies = rules.map((rule) => appliesToVehicle(rule, vehicle))
  const evaluationStart = findEvaluationStart(question)
  const matches: Match[] = []
  for (const stay of vehicle.stays) {
    clocks.enter(stay)
    const begin = Math.max(stay.at, evaluationStart)
    const end = Math.min(stay.until, until)
    if (end <= begin) continue
    const candidates = new Set(
      rules.flatMap((_, index) =>
        ruleApplies[index] && clocks.countsState(index) && stay.isIn(index) ? [index] : [],
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
      const lastMatch = matches.at(-1)
      const continuesLast = lastMatch?.until === from && lastMatch.rule === rule && lastMatch.since === since
      if (continuesLast) lastMatch.until = to
      else matches.push({ rule, since, from, until: to })
    }
  }
  return matches
}

/** Returns the matches of one rule, with adjacent ones merged. */
function mergeMatches(matches: readonly Match[], rule: number): Stretch[] {
  const spans: Stretch[] = []
  for (const { from, until } of matches.filter((match) => match.rule === rule)) {
    const lastSpan = spans.at(-1)
    if (lastSpan?.until === from) lastSpan.until = until
    else spans.push({ from, until })
  }
  return spans
}

/** Charges started units. A vehicle pays a unit once, at the rate of the last rule reached in a stay. */
function findStartedUnits(
  matches: readonly Match[],
  { rules, clock, from: chargedFrom }: RateQuestion,
): Omit<RateCharge, 'day'>[] {
  const charges: Omit<RateCharge, 'day'>[] = []
  /** Units that a match covers in part, by unit and start of the dwell time. */
  const edgeUnits = new Map<string, { rule: number; from: number; until: number; begin: number }>()
  for (const { rule, since, from, until } of matches) {
    const { rate } = rules[rule] as RateRule
    if (rate?.recurrence !== 'each_time_unit' || !rate.unit) continue
    const { unit } = rate
    const firstUnit = findUnit(unit, from, clock)
    const lastUnit = findUnit(unit, until - 1, clock)
    const matchEdges = lastUnit.begin === firstUnit.begin ? [firstUnit] : [firstUnit, lastUnit]
    for (const { begin, next } of matchEdges) {
      const key = `${unit} ${begin} ${since}`
      const existing = edgeUnits.get(key)
      edgeUnits.set(key, {
        rule,
        begin,
        from: existing?.from ?? Math.max(from, begin),
        until: Math.min(until, next),
      })
    }
    const innerStart = Math.max(firstUnit.next, findNextUnitStart(unit, chargedFrom, clock))
    for (const innerUnits of groupUnitsByDay(unit, innerStart, lastUnit.begin, clock))
      charges.push({ rule, ...innerUnits })
  }
  const edgeCharges = new Map<string, Omit<RateCharge, 'day'>>()
  for (const { rule, begin, from, until } of edgeUnits.values()) {
    const key = `${rule} ${begin}`
    const existing = edgeCharges.get(key)
    edgeCharges.set(key, {
      rule,
      from: Math.min(from, existing?.from ?? from),
      until: Math.max(until, existing?.until ?? until),
      quantity: 1,
    })
  }
  return [...charges, ...edgeCharges.values()]
}

/** Returns the charges of units that the matches of a rule cover completely. */
function findCompleteUnits(rule: number, unit: RateUnit, matches: readonly Match[], question: RateQuestion) {
  const { clock, from: chargedFrom } = question
  return mergeMatches(matches, rule).flatMap(({ from, until }): Omit<RateCharge, 'day'>[] => {
    const begin = findNextUnitStart(unit, Math.max(from, chargedFrom), clock)
    const end = findUnit(unit, until, clock).begin
    return groupUnitsByDay(unit, begin, end, clock).map((units) => ({ rule, ...units }))
  })
}

/**
 * Returns the charges for ended matches. A match does not end if another rule with this recurrence continues
 * it in the same stay, as tiers of a price by duration do.
 */
function findEndedMatches(matches: readonly Match[], { rules, until: end }: RateQuestion) {
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

/** Charges one vehicle: per match, or per rule and local day for units of time (decision 044). */
export function chargeRates(vehicle: RatedVehicle, question: RateQuestion): RateCharge[] {
  const { rules, clock, from, until } = question
  const matches = findMatches(vehicle, question)
  if (!matches.length) return []
  const evaluationStart = findEvaluationStart(question)
  const charges = [...findStartedUnits(matches, question), ...findEndedMatches(matches, question)]
  for (const [rule, { rate }] of rules.entries()) {
    if (rate?.recurrence === 'once_on_match')
      for (const span of mergeMatches(matches, rule))
        // A match that lasts since the start of evaluation began earlier and was charged then.
        if (span.from > evaluationStart)
          charges.push({ rule, from: span.from, until: span.from, quantity: 1 })
    if (rate?.recurrence === 'per_complete_time_unit' && rate.unit)
      charges.push(...findCompleteUnits(rule, rate.unit, matches, question))
  }
  const chargesByRuleAndDay = new Map<string, RateCharge>()
  const mergedCharges: RateCharge[] = []
  for (const charge of charges) {
    if (charge.from < from || charge.from >= until) continue
    const { day } = clock.local(charge.from)
    const isOnce = rules[charge.rule]?.rate?.recurrence.startsWith('once')
    const key = `${charge.rule} ${day}`
    const existing = isOnce ? undefined : chargesByRuleAndDay.get(key)
    if (existing) {
      existing.quantity += charge.quantity
      existing.from = Math.min(existing.from, charge.from)
      existing.until = Math.max(existing.until, charge.until)
      continue
    }
    const dayCharge = { ...charge, day }
    mergedCharges.push(dayCharge)
    if (!isOnce) chargesByRuleAndDay.set(key, dayCharge)
  }
  return mergedCharges
}
