import { elasticityRange, type RateScenario } from '#contract/curb-pricing-parameters.ts'
import type { PricingRow, RateTargetRow, RevenueScenario } from '#contract/curb-pricing.ts'
import type { CurbIndex } from '../store/curb-index.ts'
import { describeZone, type Occupancies, occupancyKey, paidZones } from './propose-rates.ts'
import { cellsOf } from './zone-rates.ts'

/**
 * The occupancy that a rate might give: occupancy x (new / old)^elasticity, at most 1
 * (decision 048). null: a free curb has no price to compare with. A scenario: it never feeds fees or policies.
 */
export function expectedOccupancy(
  occupancy: number,
  before: number,
  after: number,
  elasticity: number,
): number | null {
  if (before === after || elasticity === 0) return Math.min(1, occupancy)
  if (before <= 0) return null
  // Free parking: the formula has no bound there.
  if (after <= 0) return 1
  return Math.min(1, occupancy * (after / before) ** elasticity)
}

function newRate(rate: number, { by, value }: RateScenario['change']): number {
  if (by === 'rate') return value
  return Math.max(0, by === 'amount' ? rate + value : Math.round((rate * (100 + value)) / 100))
}

/** Expected occupancy with its range for the elasticities that scenarios show, and the chosen one. */
function rangeOf(occupancy: number, before: number, after: number, elasticity: number) {
  const values = [...elasticityRange, elasticity].map((each) =>
    expectedOccupancy(occupancy, before, after, each),
  )
  const known = values.filter((value) => value !== null)
  const isKnown = known.length === values.length
  return {
    expected: values.at(-1) ?? null,
    low: isKnown ? Math.min(...known) : null,
    high: isKnown ? Math.max(...known) : null,
  }
}

/** One row per zone, time band and day type of the curb at an instant. */
export function rateTarget(
  index: CurbIndex,
  at: number,
  scenario: RateScenario,
  occupancies: Occupancies,
): RateTargetRow[] {
  const cells = cellsOf(scenario.bands, scenario.day_types)
  return paidZones(index, at, cells, scenario.curb_zone_ids).flatMap(({ zone, rates }) =>
    cells.map(({ key, band, dayType }): RateTargetRow => {
      const found = rates.get(key)
      const row = occupancies.get(occupancyKey(zone.id, key))
      const rate = found?.rate ?? null
      const occupancy = row?.occupancy ?? null
      const next = rate === null ? null : newRate(rate, scenario.change)
      const limits: RateTargetRow['limits'] = []
      if (rate === null) limits.push(found?.refusal ?? 'no_rate')
      if (row?.capacity === 0) limits.push('no_capacity')
      else if (occupancy === null) limits.push('no_occupancy')
      else {
        if ((row?.days ?? 0) < scenario.min_days) limits.push('too_few_days')
        if ((row?.coverage ?? 0) < scenario.min_coverage) limits.push('low_coverage')
      }
      const isAnswered = !limits.length && rate !== null && next !== null && occupancy !== null
      return {
        ...describeZone(zone),
        band: band.key,
        day_type: dayType.key,
        current_rate: rate,
        new_rate: next,
        occupancy,
        kind: row?.kind ?? null,
        days: row?.days ?? 0,
        coverage: row?.coverage ?? null,
        capacity: row?.capacity ?? null,
        ...(isAnswered
          ? rangeOf(occupancy, rate, next, scenario.elasticity)
          : { expected: null, low: null, high: null }),
        limits,
        paid_hours: (found?.paidMinutes ?? 0) / 60,
      }
    }),
  )
}

interface RevenueRow {
  current_rate: number | null
  occupancy: number | null
  capacity: number | null
  paid_hours: number
  /** The rate after the change. */
  next: number | null
}

/**
 * Revenue per week if all occupied space-hours of paid times were paid for: rate x occupancy x spaces x paid hours. Rows
 * without rate, occupancy or capacity are left out of both sums.
 */
export function revenueOf(rows: readonly RevenueRow[], elasticity: number): RevenueScenario {
  const sums = { rows: 0, before: 0, after: 0, low: 0, high: 0 }
  for (const { current_rate: rate, occupancy, capacity, paid_hours: hours, next } of rows) {
    if (rate === null || occupancy === null || capacity === null) continue
    const after = next ?? rate
    const range = rangeOf(Math.min(1, occupancy), rate, after, elasticity)
    if (range.expected === null || range.low === null || range.high === null) continue
    sums.rows += 1
    sums.before += rate * Math.min(1, occupancy) * capacity * hours
    sums.after += after * range.expected * capacity * hours
    sums.low += after * range.low * capacity * hours
    sums.high += after * range.high * capacity * hours
  }
  return { ...sums, elasticity }
}

export const proposedRevenue = (
  rows: readonly Pick<
    PricingRow,
    'current_rate' | 'occupancy' | 'capacity' | 'paid_hours' | 'proposed_rate'
  >[],
  elasticity: number,
): RevenueScenario =>
  revenueOf(
    rows.map((row) => ({ ...row, next: row.proposed_rate })),
    elasticity,
  )

/** Occupied by all spaces of paid hours; null: no row has a value. */
export function meanByCapacity<Row extends Pick<PricingRow, 'capacity' | 'paid_hours'>>(
  rows: readonly Row[],
  valueOf: (row: Row) => number | null,
): number | null {
  let [sum, weights] = [0, 0]
  for (const row of rows) {
    const value = valueOf(row)
    const weight = (row.capacity ?? 0) * row.paid_hours
    if (value === null || weight <= 0) continue
    sum += value * weight
    weights += weight
  }
  return weights > 0 ? sum / weights : null
}
