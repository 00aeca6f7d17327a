import { civilClock } from '#contract/civil-clock.ts'
import { groupBy } from '#contract/group-by.ts'
import { dayFromNumber, hourMs, type LocalDay } from '#contract/period.ts'
import { type DayMdsRule, getRuleHistoryMs } from '#server/compliance/days/rules/day-mds-rules.ts'
import { findOpenTimes } from '#server/compliance/days/rules/open-times.ts'
import {
  findOperatorsWithIntervals,
  readIntervals,
  readTraits,
} from '#server/compliance/days/rules/read-intervals.ts'
import type { VehicleInterval } from '#server/compliance/days/rules/interval.ts'
import { getLostAfterMs } from '#server/compliance/vehicles-at.ts'
import { createTimeSlicer } from '#server/stores/time-slices.ts'
import type { RatePart } from '../charged-facts.ts'
import { chargeRates, findEvaluationStart, type RateCharge } from '../mds-rates/charge-rates.ts'
import { toChunks, type FeeEngine, toFactQuestion } from './fact-question.ts'
import type { FeeDaySum, FeeRevision, PlacedRule } from './fee-revision.ts'

/** A rate that is charged for a match of a rule by a vehicle. */
export interface VehicleRate {
  operator: string
  deviceId: string
  vehicleType: string
  day: LocalDay
  /** The key of the rule. */
  key: string
  charge: RateCharge
  /** Where the vehicle was when the charge began; NaN or null if unknown. */
  lon: number | null
  lat: number | null
}

/** Days of history to read for dwell limits that exceed the silence after which a vehicle is lost. */
const longDwellDays = 92
/** Number of days with stays in memory at the same time. */
const daysPerQuery = 7

/** Returns how much history before a moment affects its matches, ms. */
function getHistoryMs(rules: readonly PlacedRule[], lostMs: number): number {
  const hasLongDwellLimit = rules.some((rule) => getLostAfterMs(rule, lostMs) === Infinity)
  return hasLongDwellLimit ? longDwellDays * 24 * hourMs + lostMs : getRuleHistoryMs(rules, lostMs)
}

/** Groups stays by vehicle, in order of time. */
function groupByVehicle(stays: readonly VehicleInterval[]): VehicleInterval[][] {
  return [...groupBy(stays, ({ vehicle }) => vehicle).values()]
}

/** Charges the vehicles that match rules with rates on some days. */
async function chargeDays(
  engine: FeeEngine,
  revision: FeeRevision,
  days: readonly LocalDay[],
): Promise<VehicleRate[]> {
  const { facts, scope, membership, region, signal } = engine
  const { rates: rules, place } = revision
  const question = toFactQuestion(engine, revision, days)
  if (!question || !rules || !place) return []
  const { filter, from, until, timezone } = question
  const clock = civilClock(timezone)
  const lostMs = region.lostAfterHours * hourMs
  const span = { rules, clock, lostMs, from, until }
  const openTimes = rules.map(({ window }) => findOpenTimes(window, clock, findEvaluationStart(span), until))
  const spanToRead = { from: findEvaluationStart(span) - getHistoryMs(rules, lostMs), until }
  const indexes = await membership.forAreas(scope, place.content, place.areas)
  const input = { facts, scope, filter, indexes, ...(signal ? { signal } : {}) }
  const dayRules = rules.map((rule): DayMdsRule => ({ ...rule, shapes: [] }))
  const operators = await findOperatorsWithIntervals({ facts, scope, filter }, spanToRead)
  const charges: VehicleRate[] = []
  const yieldIfDue = createTimeSlicer()
  for (const operator of operators) {
    if (filter.operators.length && !filter.operators.includes(operator)) continue
    signal?.throwIfAborted()
    const [{ intervals }, findTraits] = await Promise.all([
      readIntervals(input, dayRules, operator, spanToRead),
      readTraits(input, dayRules, operator),
    ])
    for (const vehicleStays of groupByVehicle(intervals)) {
      await yieldIfDue()
      const [{ deviceId, vehicleType } = { deviceId: '', vehicleType: '' }] = vehicleStays
      const placedStays = vehicleStays.map((interval) => ({
        ...interval,
        isIn: (rule: number) => interval.areas.some((area) => rules[rule]?.areas.has(area)),
      }))
      for (const charge of chargeRates(
        { vehicleType, ...findTraits(deviceId), stays: placedStays },
        { ...span, openTimes },
      )) {
        const { lon = NaN, lat = NaN } = vehicleStays.findLast(({ at }) => at <= charge.from) ?? {}
        charges.push({
          operator,
          deviceId,
          vehicleType,
          day: dayFromNumber(charge.day),
          key: (rules[charge.rule] as PlacedRule).key,
          charge,
          lon,
          lat,
        })
      }
    }
  }
  return charges
}

/** Finds charges of the rates of an imported policy on consecutive local days up to now, in a fixed order. */
export async function findRateCharges(
  engine: FeeEngine,
  revision: FeeRevision,
  days: readonly LocalDay[],
): Promise<VehicleRate[]> {
  const charges: VehicleRate[] = []
  for (const chunk of toChunks(days, daysPerQuery))
    charges.push(...(await chargeDays(engine, revision, chunk)))
  return charges
}

/** Returns the rate of the rule with a key. @throws Error if the part has none. */
export const findRate = ({ rates }: RatePart, key: string): RatePart['rates'][number] => {
  const rate = rates.find((candidate) => candidate.key === key)
  if (!rate) throw new Error(`There is no rate of rule ${key}`)
  return rate
}

/** Makes the id of a charged match, which is unique within its revision. */
export const makeRateFactId = ({ deviceId, charge, key }: Pick<VehicleRate, 'deviceId' | 'charge' | 'key'>) =>
  `${deviceId} ${charge.from} ${key}`

/** Returns the sums of rates by day, operator, vehicle type and rule. */
export async function sumRates(
  engine: FeeEngine,
  revision: FeeRevision,
  part: RatePart,
  days: readonly LocalDay[],
): Promise<FeeDaySum[]> {
  const sums = new Map<string, FeeDaySum>()
  for (const { operator, vehicleType, day, key, charge } of await findRateCharges(engine, revision, days)) {
    const id = [day, operator, vehicleType, key].join('\t')
    const existing = sums.get(id)
    if (existing) {
      existing.numerator += BigInt(charge.quantity)
      existing.facts++
      continue
    }
    const { unit, amount } = findRate(part, key)
    sums.set(id, {
      day,
      operator,
      vehicleType,
      charge: key,
      unit,
      price: amount.text(),
      numerator: BigInt(charge.quantity),
      denominator: 1n,
      facts: 1,
      open: 0,
    })
  }
  return [...sums.values()]
}
