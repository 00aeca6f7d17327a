import { LRUCache } from 'lru-cache'
import type { CdsPolicy, CdsRate, CdsRule, CdsTimeSpan } from '#contract/cds.ts'
import { getDayTypes, type PricingBand, type PricingDayType } from '#contract/curb-pricing-parameters.ts'
import type { Refusal } from '#contract/curb-pricing.ts'
import {
  dayFromNumber,
  dayMs,
  dayNumber,
  getWeekday,
  localDay,
  type LocalDay,
  minuteMs,
} from '#contract/period.ts'
import { type CompiledRuleSet, compileRuleSet, type CurbUser, getRuleMinutes } from '../rules/rule-set.ts'
import { type Span, createSpan, computeTimeline } from '../rules/timeline.ts'
import { toLocalClock } from '../rules/week-in-words.ts'
import type { CurbIndex } from '../store/curb-index.ts'

export const dayMinutes = 24 * 60

/** The user for whom rates are determined: a car that parks. */
export const parkingCar: CurbUser = { userClasses: ['car'], purposes: ['parking'] }

/** The rate of a rule per hour in minor units, or why it has none; `none` if parking is free. */
export type HourlyRate = { rate: number } | { refusal: Refusal } | 'none'

const unitsPerHour: Partial<Record<CdsRate['rate_unit'], number>> = { second: 3600, minute: 60, hour: 1 }

/** Returns the rate of a rule per hour if one rate applies to the entire stay, or else a refusal. */
export function getHourlyRate(rule: CdsRule): HourlyRate {
  const rates = rule.rate ?? []
  if (!rates.some(({ rate }) => rate > 0)) return 'none'
  if (isFlat(rule) || rates.some(isFlat)) return { refusal: 'not_hourly' }
  const maxStay = getRuleMinutes(rule.max_stay, rule.max_stay_unit) ?? Infinity
  const tiers = rates
    .map((rate) => ({
      from: getRuleMinutes(rate.start_duration ?? 0, rate.rate_unit) ?? 0,
      until: getRuleMinutes(rate.end_duration, rate.rate_unit) ?? Infinity,
      hourly: rate.rate * (unitsPerHour[rate.rate_unit] ?? Number.NaN),
    }))
    .sort((a, b) => a.from - b.from)
  let coveredMinutes = 0
  for (const { from, until } of tiers) {
    if (from > coveredMinutes && coveredMinutes < maxStay) return { refusal: 'rate_gap' }
    coveredMinutes = Math.max(coveredMinutes, until)
  }
  if (coveredMinutes < maxStay) return { refusal: 'rate_gap' }
  const [firstRate = Number.NaN] = tiers.map(({ hourly }) => hourly)
  if (tiers.some(({ hourly }) => Number.isNaN(hourly))) return { refusal: 'not_hourly' }
  if (tiers.some(({ hourly }) => hourly !== firstRate)) return { refusal: 'mixed_rates' }
  return { rate: firstRate }
}

const isFlat = (item: CdsRule | CdsRate): boolean => item['rate_application_type'] === 'flat'

/** The rate in a time band on a day type. */
export interface BandRate {
  rate: number | null
  /** Why there is no single rate; null if there is one. */
  refusal: Refusal | null
  /** Minutes per week with paid parking. */
  paidMinutes: number
}

/** A time with paid parking on a weekday, in minutes of the local day. */
interface PaidTime {
  weekday: number
  from: number
  until: number
  rate: { rate: number } | { refusal: Refusal }
}

/** Creates the week from a local day in clock time: days of 24 hours, without designated periods. */
const createWeekSpan = (day: LocalDay): Span =>
  createSpan({ timezone: 'UTC', periods: new Map() }, dayNumber(day) * dayMs, (dayNumber(day) + 7) * dayMs)

/** Lists times at which a car pays. `compiled` is not used if dates must first become clock times. */
function listPaidTimes(
  policies: readonly CdsPolicy[],
  timezone: string,
  span: Span,
  compiled?: CompiledRuleSet,
): PaidTime[] {
  const hasDates = policies.some(({ time_spans: spans }) => spans?.some(hasDate))
  const rules =
    compiled && !hasDates
      ? compiled
      : compileRuleSet(policies.map((policy) => toLocalClock(policy, timezone)))
  const times: PaidTime[] = []
  for (const { from, until, deciding } of computeTimeline(rules, parkingCar, span)) {
    const { parking } = deciding
    if (parking?.effects.parking !== 'allowed') continue
    const rate = getHourlyRate(parking.rule)
    if (rate === 'none') continue
    for (let start = from; start < until;) {
      const midnight = Math.floor(start / dayMs) * dayMs
      const end = Math.min(until, midnight + dayMs)
      times.push({
        weekday: getWeekday(dayFromNumber(midnight / dayMs)),
        from: (start - midnight) / minuteMs,
        until: (end - midnight) / minuteMs,
        rate,
      })
      start = end
    }
  }
  return times
}

/** Finds the single rate of the paid times in a band on a day type, or why there is none. */
function findBandRate(times: readonly PaidTime[], band: PricingBand, { weekdays }: PricingDayType): BandRate {
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
  const [firstRefusal] = refusals
  if (firstRefusal) return { rate: null, refusal: firstRefusal, paidMinutes }
  if (rates.size > 1) return { rate: null, refusal: 'mixed_rates', paidMinutes }
  const [rate = null] = rates
  return { rate, refusal: rate === null ? 'no_rate' : null, paidMinutes }
}

/** A time band on a day type. */
export interface Cell {
  key: string
  band: PricingBand
  dayType: PricingDayType
}
/** Returns the key of a time band on a day type. */
export const toCellKey = (band: string, dayType: string): string => `${band} ${dayType}`

/** Lists all combinations of time bands and their day types. */
export const listCells = (bands: readonly PricingBand[], dayTypes: readonly PricingDayType[]): Cell[] =>
  bands.flatMap((band) =>
    getDayTypes(band, dayTypes).map((dayType) => ({ key: toCellKey(band.key, dayType.key), band, dayType })),
  )

/** A line of a rate table: days with the same times and rate. `rate` is null if there is no single rate. */
export interface RateLine {
  days: number[]
  from: string
  until: string
  rate: number | null
}

/** Formats minutes of the day as `HH:MM`. */
export const formatClock = (minutes: number): string =>
  [Math.floor(minutes / 60), minutes % 60].map((value) => String(value).padStart(2, '0')).join(':')

/** Returns lines of a rate table for the paid times of policies in the week that begins on a local day. */
export function createRateLines(policies: readonly CdsPolicy[], timezone: string, day: LocalDay): RateLine[] {
  const lines = new Map<string, RateLine>()
  const times = listPaidTimes(policies, timezone, createWeekSpan(day)).toSorted(
    (a, b) => a.weekday - b.weekday || a.from - b.from,
  )
  const joinedTimes: PaidTime[] = []
  for (const time of times) {
    const lastTime = joinedTimes.at(-1)
    const isNext =
      lastTime?.weekday === time.weekday &&
      lastTime.until === time.from &&
      JSON.stringify(lastTime.rate) === JSON.stringify(time.rate)
    if (isNext) lastTime.until = time.until
    else joinedTimes.push({ ...time })
  }
  for (const { weekday, from, until, rate } of joinedTimes) {
    const line = {
      from: formatClock(from),
      until: formatClock(until),
      rate: 'rate' in rate ? rate.rate : null,
    }
    const key = JSON.stringify(line)
    const lineWithDays = lines.get(key) ?? { days: [], ...line }
    lineWithDays.days.push(weekday)
    lines.set(key, lineWithDays)
  }
  return [...lines.values()]
}

/** Rates by cell key (`toCellKey`). */
export type CellRates = ReadonlyMap<string, BandRate>

/** Cached sets of policies per list of cells. */
const maxPolicySets = 40_000
/** Cached lists of cells per curb. */
const maxCellLists = 4
const ratesByIndex = new WeakMap<CurbIndex, LRUCache<string, ZoneRates>>()

/** Rates of zones by time band and day type. Caches the rates of each set of policies. */
export class ZoneRates {
  /** Returns the instance for a curb and its cells, shared by all requests with the same cells. */
  static forIndex(index: CurbIndex, cells: readonly Cell[]): ZoneRates {
    const ratesByCells = ratesByIndex.get(index) ?? new LRUCache<string, ZoneRates>({ max: maxCellLists })
    ratesByIndex.set(index, ratesByCells)
    const key = JSON.stringify(cells)
    const rates = ratesByCells.get(key) ?? new ZoneRates(index, cells)
    ratesByCells.set(key, rates)
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

  /** Returns the rates of policies in the week that begins on the local day of an instant. */
  getRates(policies: readonly CdsPolicy[], at: number, compiled?: CompiledRuleSet): CellRates {
    const day = this.#getDay(at)
    // Rates depend on the week only if a policy has dates; most have none.
    const hasDates = policies.some(({ time_spans: spans }) => spans?.some(dependsOnWeek))
    const key = `${hasDates ? day : ''} ${policies.map(({ curb_policy_id: id }) => id).join(' ')}`
    const cached = this.#rates.get(key)
    if (cached) return cached
    const times = listPaidTimes(policies, this.#index.timezone, this.#getWeek(day), compiled)
    const rates: CellRates = new Map(
      this.#cells.map(({ key: cell, band, dayType }) => [cell, findBandRate(times, band, dayType)]),
    )
    this.#rates.set(key, rates)
    return rates
  }

  #getDay(at: number): LocalDay {
    const day = this.#days.get(at) ?? localDay(new Date(at), this.#index.timezone)
    this.#days.set(at, day)
    return day
  }

  #getWeek(day: LocalDay): Span {
    const week = this.#spans.get(day) ?? createWeekSpan(day)
    this.#spans.set(day, week)
    return week
  }

  /** Finds the local day on which each cell of a zone got its rate at an instant; null if unknown. */
  findLastChanges(zoneId: string, at: number): ReadonlyMap<string, LocalDay | null> {
    const history = this.#index.getPolicyHistory(zoneId).filter(({ from }) => from <= at)
    const current = history.at(-1)
    const changes = new Map<string, LocalDay | null>()
    if (!current) return changes
    const getRatesOfTerm = ({ policyIds, from }: { policyIds: readonly string[]; from: number }): CellRates =>
      this.getRates(
        policyIds.flatMap((id) => this.#index.policies.get(id) ?? []),
        from,
      )
    const rates = history.map(getRatesOfTerm)
    for (const { key } of this.#cells) {
      const rate = rates.at(-1)?.get(key)?.rate ?? null
      let firstIndex = history.length - 1
      while (firstIndex > 0 && rates[firstIndex - 1]?.get(key)?.rate === rate) firstIndex -= 1
      const start = firstIndex > 0 ? history[firstIndex]?.from : undefined
      changes.set(key, start === undefined ? null : localDay(new Date(start), this.#index.timezone))
    }
    return changes
  }
}

const hasDate = (span: CdsTimeSpan): boolean => span.start_date !== undefined || span.end_date !== undefined
const dependsOnWeek = (span: CdsTimeSpan): boolean =>
  hasDate(span) || Boolean(span.days_of_month?.length || span.weeks_of_month?.length || span.months?.length)
