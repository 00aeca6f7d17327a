import { civilClock } from '#contract/civil-clock.ts'
import { dayFromNumber, type LocalDay } from '#contract/period.ts'
import { type DayMdsRule, ruleReach } from '#server/compliance/days/rules/day-mds-rules.ts'
import { openStretches } from '#server/compliance/days/rules/open-stretches.ts'
import {
  findOperatorsWithIntervals,
  readIntervals,
  readTraits,
} from '#server/compliance/days/rules/read-intervals.ts'
import type { VehicleInterval } from '#server/compliance/days/rules/interval.ts'
import { lostAfterMs } from '#server/compliance/vehicles-at.ts'
import { createTimeSlicer } from '#server/stores/time-slices.ts'
import type { RatePart } from '../charged-facts.ts'
import { chargeRates, lookFrom, type RateCharge } from '../mds-rates/charge-rates.ts'
import { chunks, type FeeEngine, factQuestion } from './fact-question.ts'
import type { FeeDaySum, FeeRevision, PlacedRule } from './fee-revision.ts'

/** A rate that applied to a vehicle. */
export interface VehicleRate {
  operator: string
  deviceId: string
  vehicleType: string
  day: LocalDay
  /** Of the rule. */
  key: string
  charge: RateCharge
  lon: number | null
  lat: number | null
}

const hourMs = 3_600_000
/** Days before a charge of which reports are read for limits that are longer than the silence after which a vehicle is lost. */
const longDwellDays = 92
/** Days of which stays are in memory at once. */
const daysAtOnce = 7

/** How long before a moment its matches depend on, ms. */
function reachOf(rules: readonly PlacedRule[], lostMs: number): number {
  const isLong = rules.some((rule) => lostAfterMs(rule, lostMs) === Infinity)
  return isLong ? longDwellDays * 24 * hourMs + lostMs : ruleReach(rules, lostMs)
}

/** Stays by vehicle, in order of time. */
function byVehicle(stays: readonly VehicleInterval[]): VehicleInterval[][] {
  const vehicles = new Map<number, VehicleInterval[]>()
  for (const stay of stays) {
    const own = vehicles.get(stay.vehicle)
    if (own) own.push(stay)
    else vehicles.set(stay.vehicle, [stay])
  }
  return [...vehicles.values()]
}

async function chargesOfDays(
  engine: FeeEngine,
  revision: FeeRevision,
  days: readonly LocalDay[],
): Promise<VehicleRate[]> {
  const { facts, scope, membership, region, signal } = engine
  const { rates: rules, place } = revision
  const question = factQuestion(engine, revision, days)
  if (!question || !rules || !place) return []
  const { filter, from, until, timezone } = question
  const clock = civilClock(timezone)
  const lostMs = region.lostAfterHours * hourMs
  const span = { rules, clock, lostMs, from, until }
  const openOf = rules.map(({ window }) => openStretches(window, clock, lookFrom(span), until))
  const read = { first: lookFrom(span) - reachOf(rules, lostMs), last: until }
  const indexes = await membership.forAreas(scope, place.content, place.areas)
  const measuring = { facts, scope, filter, indexes, ...(signal ? { signal } : {}) }
  const asRules = rules.map((rule): DayMdsRule => ({ ...rule, shapes: [] }))
  const operators = await findOperatorsWithIntervals({ facts, scope, filter }, read)
  const found: VehicleRate[] = []
  const endSlice = createTimeSlicer()
  for (const operator of operators) {
    if (filter.operators.length && !filter.operators.includes(operator)) continue
    signal?.throwIfAborted()
    const [{ intervals }, traitsOf] = await Promise.all([
      readIntervals(measuring, asRules, operator, read),
      readTraits(measuring, asRules, operator),
    ])
    for (const own of byVehicle(intervals)) {
      await endSlice()
      const [{ deviceId, vehicleType } = { deviceId: '', vehicleType: '' }] = own
      const placed = own.map((interval) => ({
        ...interval,
        isIn: (rule: number) => interval.areas.some((area) => rules[rule]?.areas.has(area)),
      }))
      for (const charge of chargeRates(
        { vehicleType, ...traitsOf(deviceId), stays: placed },
        { ...span, openOf },
      )) {
        const { lon = NaN, lat = NaN } = own.findLast(({ at }) => at <= charge.from) ?? {}
        found.push({
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
  return found
}

/** What the rates of an imported policy charge on successive local days up to now, in one order. */
export async function rateCharges(
  engine: FeeEngine,
  revision: FeeRevision,
  days: readonly LocalDay[],
): Promise<VehicleRate[]> {
  const found: VehicleRate[] = []
  for (const some of chunks(days, daysAtOnce)) found.push(...(await chargesOfDays(engine, revision, some)))
  return found
}

export const rateOf = ({ rates }: RatePart, key: string): RatePart['rates'][number] => {
  const rate = rates.find((each) => each.key === key)
  if (!rate) throw new Error(`There is no rate of rule ${key}`)
  return rate
}

export const factIdOf = ({ deviceId, charge, key }: Pick<VehicleRate, 'deviceId' | 'charge' | 'key'>) =>
  `${deviceId} ${charge.from} ${key}`

/** Sums of rates by day, operator, vehicle type and rule. */
export async function rateSums(
  engine: FeeEngine,
  revision: FeeRevision,
  part: RatePart,
  days: readonly LocalDay[],
): Promise<FeeDaySum[]> {
  const sums = new Map<string, FeeDaySum>()
  for (const { operator, vehicleType, day, key, charge } of await rateCharges(engine, revision, days)) {
    const id = [day, operator, vehicleType, key].join('\t')
    const known = sums.get(id)
    if (known) {
      known.numerator += BigInt(charge.quantity)
      known.facts++
      continue
    }
    const { unit, amount } = rateOf(part, key)
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
