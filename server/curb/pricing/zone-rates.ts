import { LRUCache } from 'lru-cache'
import type { CdsPolicy, CdsRate, CdsRule, CdsTimeSpan } from '#contract/cds.ts'
import { getDayTypes, type PricingBand, type PricingDayType } from '#contract/curb-pricing-parameters.ts'
import type { Refusal } from '#contract/curb-pricing.ts'
import { dayNumber, dayFromNumber, localDay, type LocalDay, weekdayOf } from '#contract/period.ts'
import { type CompiledRuleSet, compileRuleSet, type CurbUser, ruleMinutes } from '../rules/rule-set.ts'
import { type Span, spanOf, timeline } from '../rules/timeline.ts'
import { byClock } from '../rules/week-in-words.ts'
import type { CurbIndex } from '../store/curb-index.ts'

/** For whom rates are: a car that parks. */
export const parkingCar: CurbUser = { userClasses: ['car'], purposes: ['parking'] }

/** The rate of a rule per hour in minor units, or why it has none. `none`: parking is free. */
export type HourlyRate = { rate: number } | { refusal: Refusal } | 'none'

const perHour: Readonly<Partial<Record<CdsRate['rate_unit'], number>>> = { second: 3600, minute: 60, hour: 1 }

/** What a rule costs per hour, if that is one rate for the whole stay. */
export function hourlyRate(rule: CdsRule): HourlyRate {
  const rates = rule.rate ?? []
  if (!rates.some(({ rate }) => rate > 0)) return 'none'
  if (isFlat(rule) || rates.some(isFlat)) return { refusal: 'not_hourly' }
  const maxStay = ruleMinutes(rule.max_stay, rule.max_stay_unit) ?? Infinity
  const parts = rates
    .map((each) => ({
      from: ruleMinutes(each.start_duration ?? 0, each.rate_unit) ?? 0,
      until: ruleMinutes(each.end_duration, each.rate_unit) ?? Infinity,
      hourly: each.rate * (perHour[each.rate_unit] ?? Number.NaN),
    }))
    .sort((a, b) => a.from - b.from)
  let covered = 0
  for (const { from, until } of parts) {
    if (from > covered && covered < maxStay) return { refusal: 'rate_gap' }
    covered = Math.max(covered, until)
  }
  if (covered < maxStay) return { refusal: 'rate_gap' }
  const [first = Number.NaN] = parts.map(({ hourly }) => hourly)
  if (parts.some(({ hourly }) => Number.isNaN(hourly))) return { refusal: 'not_hourly' }
  if (parts.some(({ hourly }) => hourly !== first)) return { refusal: 'mixed_rates' }
  return { rate: first }
}

const isFlat = (of: CdsRule | CdsRate): boolean => of['rate_application_type'] === 'flat'

/** The rate of a time band on days of one type. */
export interface BandRate {
  rate: number | null
  /** null where there is a rate. */
  refusal: Refusal | null
  /** Minutes per week with paid parking. */
  paidMinutes: number
}

/** A paid time of a week, in minutes of the local day. */
interface PaidTime {
  weekday: number
  from: number
  until: number
  rate: { rate: number } | { refusal: Refusal }
}

const dayMs = 86_400_000

/** The week from a local day on, as the clock shows it: every day has 24 hours, and no designated periods apply. */
const weekFrom = (day: LocalDay): Span =>
  spanOf({ zone: 'UTC', periods: new Map() }, dayNumber(day) * dayMs, (dayNumber(day) + 7) * dayMs)

function paidTimes(
  policies: readonly CdsPolicy[],
  zone: string,
  span: Span,
  compiled?: CompiledRuleSet,
): PaidTime[] {
  const hasDates = policies.some(({ time_spans: spans }) => spans?.some(hasDate))
  const rules =
    compiled && !hasDates ? compiled : compileRuleSet(policies.map((policy) => byClock(policy, zone)))
  const times: PaidTime[] = []
  for (const { from, until, deciding } of timeline(rules, parkingCar, span)) {
    const { parking } = deciding
    if (parking?.effects.parking !== 'allowed') continue
    const rate = hourlyRate(parking.rule)
    if (rate === 'none') continue
    for (let start = from; start < until;) {
      const midnight = Math.floor(start / dayMs) * dayMs
      const end = Math.min(until, midnight + dayMs)
      times.push({
        weekday: weekdayOf(dayFromNumber(midnight / dayMs)),
        from: (start - midnight) / 60_000,
        until: (end - midnight) / 60_000,
        rate,
      })
      start = end
    }
  }
  return times
}

function bandRate(times: readonly PaidTime[], band: PricingBand, { weekdays }: PricingDayType): BandRate {
  const rates = new Set<number>()
  const refusals = new Set<Refusal>()
  let paidMinutes = 0
  for (const time of times) {
    const minutes = Math.min(time.until, band.until) - Math.max(time.from, band.from)
    if (minutes <= 0 || !weekdays.includes(time.weekday)) continue
    paidMinutes += minutes
    if ('rate' in time.rate) rates.add(time.rate.rate)
    else refusals.add(time.rate.refusal)
  }
  const [rate = null] = rates
  const [refusal = rates.size > 1 ? 'mixed_rates' : rate === null ? 'no_rate' : null] = refusals
  return { rate: refusal === null ? rate : null, refusal, paidMinutes }
}

export interface Cell {
  key: string
  band: PricingBand
  dayType: PricingDayType
}
export const cellKey = (band: string, dayType: string): string => `${band} ${dayType}`

/** The time bands with the day types that have them. */
export const cellsOf = (bands: readonly PricingBand[], dayTypes: readonly PricingDayType[]): Cell[] =>
  bands.flatMap((band) =>
    getDayTypes(band, dayTypes).map((dayType) => ({ key: cellKey(band.key, dayType.key), band, dayType })),
  )

/** A line of a rate table: days with the same times and rate together. `rate` is null where there is no single one. */
export interface RateLine {
  days: number[]
  from: string
  until: string
  rate: number | null
}

const clockText = (minutes: number): string =>
  [Math.floor(minutes / 60), minutes % 60].map((part) => String(part).padStart(2, '0')).join(':')

/** The paid times of policies in the week that begins on a local day, as lines of a rate table. */
export function rateLines(policies: readonly CdsPolicy[], zone: string, day: LocalDay): RateLine[] {
  const lines = new Map<string, RateLine>()
  const times = paidTimes(policies, zone, weekFrom(day)).toSorted(
    (a, b) => a.weekday - b.weekday || a.from - b.from,
  )
  const joined: PaidTime[] = []
  for (const time of times) {
    const last = joined.at(-1)
    const isNext =
      last?.weekday === time.weekday &&
      last.until === time.from &&
      JSON.stringify(last.rate) === JSON.stringify(time.rate)
    if (isNext) last.until = time.until
    else joined.push({ ...time })
  }
  for (const { weekday, from, until, rate } of joined) {
    const line = {
      from: clockText(from),
      until: clockText(until),
      rate: 'rate' in rate ? rate.rate : null,
    }
    const key = JSON.stringify(line)
    const known = lines.get(key) ?? { days: [], ...line }
    known.days.push(weekday)
    lines.set(key, known)
  }
  return [...lines.values()]
}

/** Rates of all cells by their key. */
export type CellRates = ReadonlyMap<string, BandRate>

/** Sets of policies with rates in memory, and cells of one curb. */
const [maxPolicySets, maxCells] = [40_000, 4]
const ratesOfCurbs = new WeakMap<CurbIndex, LRUCache<string, ZoneRates>>()

/** Rates of zones by time band and day type, from the policies of the region; sets of policies are read once. */
export class ZoneRates {
  /** Those of a curb, which questions about the same cells share. */
  static of(index: CurbIndex, cells: readonly Cell[]): ZoneRates {
    const known = ratesOfCurbs.get(index) ?? new LRUCache<string, ZoneRates>({ max: maxCells })
    ratesOfCurbs.set(index, known)
    const key = JSON.stringify(cells)
    const rates = known.get(key) ?? new ZoneRates(index, cells)
    known.set(key, rates)
    return rates
  }

  readonly #index: CurbIndex
  readonly #cells: readonly Cell[]
  readonly #rates = new LRUCache<string, CellRates>({ max: maxPolicySets })
  readonly #spans = new LRUCache<LocalDay, Span>({ max: 1000 })
  readonly #days = new LRUCache<number, LocalDay>({ max: 1000 })
  constructor(index: CurbIndex, cells: readonly Cell[]) {
    this.#index = index
    this.#cells = cells
  }

  /** Rates of policies in the week that begins on the local day of an instant. */
  ofPolicies(policies: readonly CdsPolicy[], at: number, compiled?: CompiledRuleSet): CellRates {
    const day = this.#dayOf(at)
    // Dates of policies decide in which week one looks; most have none.
    const hasDates = policies.some(({ time_spans: spans }) => spans?.some(dependsOnWeek))
    const key = `${hasDates ? day : ''} ${policies.map(({ curb_policy_id: id }) => id).join(' ')}`
    const known = this.#rates.get(key)
    if (known) return known
    const times = paidTimes(policies, this.#index.zone, this.#spanOf(day), compiled)
    const rates: CellRates = new Map(
      this.#cells.map(({ key: cell, band, dayType }) => [cell, bandRate(times, band, dayType)]),
    )
    this.#rates.set(key, rates)
    return rates
  }

  #dayOf(at: number): LocalDay {
    const known = this.#days.get(at) ?? localDay(new Date(at), this.#index.zone)
    this.#days.set(at, known)
    return known
  }

  #spanOf(day: LocalDay): Span {
    const known = this.#spans.get(day) ?? weekFrom(day)
    this.#spans.set(day, known)
    return known
  }

  /** The local day on which each cell of a zone got the rate that it has at an instant; null if none is known. */
  lastChanges(zoneId: string, at: number): ReadonlyMap<string, LocalDay | null> {
    const history = this.#index.historyOf(zoneId).filter(({ from }) => from <= at)
    const current = history.at(-1)
    const changes = new Map<string, LocalDay | null>()
    if (!current) return changes
    const ratesOf = ({ policyIds, from }: { policyIds: readonly string[]; from: number }): CellRates =>
      this.ofPolicies(
        policyIds.flatMap((id) => this.#index.policies.get(id) ?? []),
        from,
      )
    const all = history.map(ratesOf)
    for (const { key } of this.#cells) {
      const rate = all.at(-1)?.get(key)?.rate ?? null
      let since = history.length - 1
      while (since > 0 && all[since - 1]?.get(key)?.rate === rate) since -= 1
      const start = history[since]?.from
      changes.set(
        key,
        since === 0 || start === undefined ? null : localDay(new Date(start), this.#index.zone),
      )
    }
    return changes
  }
}

const hasDate = (span: CdsTimeSpan): boolean => span.start_date !== undefined || span.end_date !== undefined
const dependsOnWeek = (span: CdsTimeSpan): boolean =>
  hasDate(span) || Boolean(span.days_of_month?.length || span.weeks_of_month?.length || span.months?.length)
