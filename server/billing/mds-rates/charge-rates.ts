import type { CivilClock } from '#contract/civil-clock.ts'
import type { RateRecurrence, RateUnit } from '#contract/policy-types/mds-rates.ts'
import { maxCount } from '#server/compliance/bounds.ts'
import type { Stretch } from '#server/compliance/days/rules/open-stretches.ts'
import { decideRules } from '#server/compliance/decide-rules.ts'
import { DwellClocks, type DwellInterval } from '#server/compliance/dwell-clocks.ts'
import type { Rule } from '#server/compliance/rule.ts'
import { appliesToVehicle } from '#server/compliance/vehicles-at.ts'
import type { VehicleTrack } from '#server/compliance/vehicle-track.ts'
import { unitAround, unitFrom, unitsByDay } from './local-units.ts'

/** What a rule charges. */
export interface Rate {
  recurrence: RateRecurrence
  /** Of rates by unit of time. */
  unit: RateUnit | null
}

/** A rule of a policy that has rates, in its order; rules without a rate take vehicles too. */
export type RateRule = Omit<Rule, 'area'> & { rate: Rate | null }

export interface RatedStay extends DwellInterval {
  /** Whether it lies in the geographies of a rule. */
  isIn: (rule: number) => boolean
}

/** A vehicle with what it reported, in order of time. */
export interface RatedVehicle extends Pick<
  VehicleTrack,
  'vehicleType' | 'propulsionTypes' | 'accessibility'
> {
  stays: readonly RatedStay[]
}

/** Which charges are requested: those of moments from `from` to `until`, half open. */
export interface RateQuestion {
  rules: readonly RateRule[]
  /** When the window of each rule is open, at least from `lookFrom` on. */
  openOf: readonly (readonly Stretch[])[]
  clock: CivilClock
  lostMs: number
  from: number
  until: number
}

/** A rate that applies. `quantity` counts matches, or units of time on one local day. */
export interface RateCharge {
  rule: number
  /** Local day number. */
  day: number
  from: number
  until: number
  quantity: number
}

/** A time in which one rule with a rate matches a vehicle, ms, half open. `since`: of its dwell clock. */
interface Match {
  rule: number
  since: number
  from: number
  until: number
}

const hourMs = 3_600_000

/** From when on matches are known: units that have begun, and what was matched just before. */
export const lookFrom = ({ from, clock }: Pick<RateQuestion, 'from' | 'clock'>): number =>
  clock.instant(clock.local(from).day, 0).ms - hourMs

const isOpenAt = (stretches: readonly Stretch[], at: number): boolean =>
  stretches.some(({ from, until }) => from <= at && at < until)

/** Moments within a stay at which another rule may take the vehicle. */
function cutsOf(
  { rules, openOf }: RateQuestion,
  candidates: ReadonlySet<number>,
  clocks: DwellClocks,
  stay: RatedStay,
  [begin, end]: readonly [number, number],
): number[] {
  const cuts = new Set([begin, end])
  const add = (ms: number): void => {
    if (ms > begin && ms < end) cuts.add(ms)
  }
  for (const index of candidates) {
    const { kind, bounds } = rules[index] as RateRule
    add(stay.at + (clocks.silences[index] as number))
    for (const { from, until } of openOf[index] ?? []) {
      add(from)
      add(until)
    }
    if (kind !== 'time') continue
    add(clocks.since(index) + bounds.minimum)
    add(clocks.since(index) + bounds.maximum)
  }
  return [...cuts].sort((a, b) => a - b)
}

/** The rule that determines the rate of a vehicle at a given time, or null. Rules apply in order (decision 017). */
function ruleAt(
  { rules, openOf }: RateQuestion,
  candidates: ReadonlySet<number>,
  clocks: DwellClocks,
  stay: RatedStay,
  at: number,
): number | null {
  const decisions = decideRules(rules, {
    at,
    size: 1,
    hasFleet: true,
    isOpen: (index) => isOpenAt(openOf[index] ?? [], at),
    candidatesOf: (index) =>
      candidates.has(index) && at < stay.at + (clocks.silences[index] as number)
        ? [{ vehicle: 0, since: clocks.since(index), speed: NaN }]
        : [],
  })
  const found = decisions.findIndex(({ measured, broken }, index) => {
    const { rate, chargesWithin, kind, bounds } = rules[index] as RateRule
    if (!rate) return false
    return chargesWithin ? measured > 0 && (kind !== 'count' || maxCount(bounds) > 0) : broken.length > 0
  })
  return found === -1 ? null : found
}

/** The matches of a vehicle with rules that have rates, in order of time. A bound is passed at one moment, which lasts for no time. */
function matchesOf(vehicle: RatedVehicle, question: RateQuestion): Match[] {
  const { rules, lostMs, until } = question
  const clocks = new DwellClocks(rules, lostMs)
  const meant = rules.map((rule) => appliesToVehicle(rule, vehicle))
  const first = lookFrom(question)
  const matches: Match[] = []
  for (const stay of vehicle.stays) {
    clocks.enter(stay)
    const within = [Math.max(stay.at, first), Math.min(stay.until, until)] as const
    if (within[1] <= within[0]) continue
    const candidates = new Set(
      rules.flatMap((_, index) =>
        meant[index] && clocks.countsState(index) && stay.isIn(index) ? [index] : [],
      ),
    )
    if (!candidates.size) continue
    const cuts = cutsOf(question, candidates, clocks, stay, within)
    for (const [index, from] of cuts.slice(0, -1).entries()) {
      const to = cuts[index + 1] as number
      const rule = ruleAt(question, candidates, clocks, stay, (from + to) / 2)
      if (rule === null) continue
      const since = clocks.since(rule)
      const last = matches.at(-1)
      if (last?.until === from && last.rule === rule && last.since === since) last.until = to
      else matches.push({ rule, since, from, until: to })
    }
  }
  return matches
}

/** Matches of one rule, those that follow one another as one. */
function spansOf(matches: readonly Match[], rule: number): Stretch[] {
  const spans: Stretch[] = []
  for (const { from, until } of matches.filter((match) => match.rule === rule)) {
    const last = spans.at(-1)
    if (last?.until === from) last.until = until
    else spans.push({ from, until })
  }
  return spans
}

/** Started units: a vehicle pays once for each, at the rate of the rule that it reached last in it without leaving its place. */
function startedUnits(
  matches: readonly Match[],
  { rules, clock, from: begins }: RateQuestion,
): Omit<RateCharge, 'day'>[] {
  const charges: Omit<RateCharge, 'day'>[] = []
  /** Units that a match covers in part, by unit and dwell clock. */
  const edges = new Map<string, { rule: number; from: number; until: number; begin: number }>()
  for (const { rule, since, from, until } of matches) {
    const { rate } = rules[rule] as RateRule
    if (rate?.recurrence !== 'each_time_unit' || !rate.unit) continue
    const { unit } = rate
    const [first, last] = [unitAround(unit, from, clock), unitAround(unit, until - 1, clock)]
    for (const { begin, next } of last.begin === first.begin ? [first] : [first, last]) {
      const key = `${unit} ${begin} ${since}`
      const known = edges.get(key)
      edges.set(key, {
        rule,
        begin,
        from: known?.from ?? Math.max(from, begin),
        until: Math.min(until, next),
      })
    }
    const second = Math.max(first.next, unitFrom(unit, begins, clock))
    for (const units of unitsByDay(unit, second, last.begin, clock)) charges.push({ rule, ...units })
  }
  const once = new Map<string, Omit<RateCharge, 'day'>>()
  for (const { rule, begin, from, until } of edges.values()) {
    const key = `${rule} ${begin}`
    const known = once.get(key)
    once.set(key, {
      rule,
      from: Math.min(from, known?.from ?? from),
      until: Math.max(until, known?.until ?? until),
      quantity: 1,
    })
  }
  return [...charges, ...once.values()]
}

/** Units that matches of a rule cover from begin to end. */
function completeUnits(rule: number, unit: RateUnit, matches: readonly Match[], question: RateQuestion) {
  const { clock, from: begins } = question
  return spansOf(matches, rule).flatMap(({ from, until }): Omit<RateCharge, 'day'>[] => {
    const begin = unitFrom(unit, Math.max(from, begins), clock)
    const last = unitAround(unit, until, clock).begin
    return unitsByDay(unit, begin, last, clock).map((units) => ({ rule, ...units }))
  })
}

/** A vehicle leaves a match, unless another such rule takes it over in the same stay, as tiers of a price by duration do. */
function leftMatches(matches: readonly Match[], { rules, until: end }: RateQuestion) {
  return matches.flatMap(({ rule, since, until }, index): Omit<RateCharge, 'day'>[] => {
    if ((rules[rule] as RateRule).rate?.recurrence !== 'once_on_unmatch' || until >= end) return []
    const next = matches[index + 1]
    const goesOn =
      next?.from === until &&
      (next.rule === rule ||
        ((rules[next.rule] as RateRule).rate?.recurrence === 'once_on_unmatch' && next.since === since))
    return goesOn ? [] : [{ rule, from: until, until, quantity: 1 }]
  })
}

/** What the rates of a policy charge one vehicle, one charge per match, or per rule and local day for units of time (decision 044). */
export function chargeRates(vehicle: RatedVehicle, question: RateQuestion): RateCharge[] {
  const { rules, clock, from, until } = question
  const matches = matchesOf(vehicle, question)
  if (!matches.length) return []
  const begin = lookFrom(question)
  const charges = [...startedUnits(matches, question), ...leftMatches(matches, question)]
  for (const [rule, { rate }] of rules.entries()) {
    if (rate?.recurrence === 'once_on_match')
      for (const span of spansOf(matches, rule))
        if (span.from > begin) charges.push({ rule, from: span.from, until: span.from, quantity: 1 })
    if (rate?.recurrence === 'per_complete_time_unit' && rate.unit)
      charges.push(...completeUnits(rule, rate.unit, matches, question))
  }
  const byUnit = new Map<string, RateCharge>()
  const found: RateCharge[] = []
  for (const charge of charges) {
    if (charge.from < from || charge.from >= until) continue
    const { day } = clock.local(charge.from)
    const isOnce = rules[charge.rule]?.rate?.recurrence.startsWith('once')
    const key = `${charge.rule} ${day}`
    const known = isOnce ? undefined : byUnit.get(key)
    if (known) {
      known.quantity += charge.quantity
      known.from = Math.min(known.from, charge.from)
      known.until = Math.max(known.until, charge.until)
      continue
    }
    const own = { ...charge, day }
    found.push(own)
    if (!isOnce) byUnit.set(key, own)
  }
  return found
}
