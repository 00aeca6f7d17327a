import { elasticityRange, type RateScenario } from '#contract/curb-pricing-parameters.ts'
import type { PricingRow, RateTargetRow, RevenueScenario } from '#contract/curb-pricing.ts'
import type { CurbIndex } from '../store/curb-index.ts'
import { describeZone, type Occupancies, makeOccupancyKey, listPaidZones } from './propose-rates.ts'
import { listCells } from './zone-rates.ts'

/**
 * Returns the occupancy to expect at another rate: occupancy x (new / old)^elasticity, at most 1 (decision
 * 048); null if the curb is free, so that there is no price to compare with. For scenarios only.
 */
export function computeExpectedOccupancy(
  occupancy: number,
  before: number,
  after: number,
  elasticity: number,
): number | null {
  if (before === after || elasticity === 0) return Math.min(1, occupancy)
  if (before <= 0) return null
  // For free parking the formula gives infinity.
  if (after <= 0) return 1
  return Math.min(1, occupancy * (after / before) ** elasticity)
}

/** Returns the rate after a change: a fixed rate, or the current one changed by an amount or by percent. */
function computeNewRate(rate: number, { by, value }: RateScenario['change']): number {
  if (by === 'rate') return value
  return Math.max(0, by === 'amount' ? rate + value : Math.round((rate * (100 + value)) / 100))
}

/** Returns the occupancy expected for an elasticity, with its range over this and the usual elasticities. */
function computeRange(occupancy: number, before: number, after: number, elasticity: number) {
  const values = [...elasticityRange, elasticity].map((candidate) =>
    computeExpectedOccupancy(occupancy, before, after, candidate),
  )
  const knownValues = values.filter((value) => value !== null)
  const areAllKnown = knownValues.length === values.length
  return {
    expected: values.at(-1) ?? null,
    low: areAllKnown ? Math.min(...knownValues) : null,
    high: areAllKnown ? Math.max(...knownValues) : null,
  }
}

/** Evaluates a scenario for the curb at an instant: one row per zone, time band and day type. */
export function evaluateScenario(
  index: CurbIndex,
  at: number,
  scenario: RateScenario,
  occupancies: Occupancies,
): RateTargetRow[] {
  const cells = listCells(scenario.bands, scenario.day_types)
  return listPaidZones(index, at, cells, scenario.curb_zone_ids).flatMap(({ zone, rates }) =>
    cells.map(({ key, band, dayType }): RateTargetRow => {
      const cellRate = rates.get(key)
      const row = occupancies.get(makeOccupancyKey(zone.id, key))
      const rate = cellRate?.rate ?? null
      const occupancy = row?.occupancy ?? null
      const newRate = rate === null ? null : computeNewRate(rate, scenario.change)
      const limits: RateTargetRow['limits'] = []
      if (rate === null) limits.push(cellRate?.refusal ?? 'no_rate')
      if (row?.capacity === 0) limits.push('no_capacity')
      else if (occupancy === null) limits.push('no_occupancy')
      else {
        if ((row?.days ?? 0) < scenario.min_days) limits.push('too_few_days')
        if ((row?.coverage ?? 0) < scenario.min_coverage) limits.push('low_coverage')
      }
      const hasResult = !limits.length && rate !== null && newRate !== null && occupancy !== null
      return {
        ...describeZone(zone),
        band: band.key,
        day_type: dayType.key,
        current_rate: rate,
        new_rate: newRate,
        occupancy,
        kind: row?.kind ?? null,
        days: row?.days ?? 0,
        coverage: row?.coverage ?? null,
        capacity: row?.capacity ?? null,
        ...(hasResult
          ? computeRange(occupancy, rate, newRate, scenario.elasticity)
          : { expected: null, low: null, high: null }),
        limits,
        paid_hours: (cellRate?.paidMinutes ?? 0) / 60,
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
 * Returns revenue per week if all occupied space-hours in paid times were paid for: rate x occupancy x spaces
 * x paid hours. Rows without a rate, occupancy or capacity are left out of the sums before and after.
 */
export function estimateRevenue(rows: readonly RevenueRow[], elasticity: number): RevenueScenario {
  const sums = { rows: 0, before: 0, after: 0, low: 0, high: 0 }
  for (const { current_rate: rate, occupancy, capacity, paid_hours: hours, next } of rows) {
    if (rate === null || occupancy === null || capacity === null) continue
    const after = next ?? rate
    const range = computeRange(Math.min(1, occupancy), rate, after, elasticity)
    if (range.expected === null || range.low === null || range.high === null) continue
    sums.rows += 1
    sums.before += rate * Math.min(1, occupancy) * capacity * hours
    sums.after += after * range.expected * capacity * hours
    sums.low += after * range.low * capacity * hours
    sums.high += after * range.high * capacity * hours
  }
  return { ...sums, elasticity }
}

/** Summarizes a scenario: numbers of rows, mean occupancy before and after, and revenue. */
export function summarizeScenario(rows: readonly RateTargetRow[], elasticity: number) {
  const evaluated = rows.filter((row) => row.expected !== null)
  return {
    rows: rows.length,
    refused: rows.length - evaluated.length,
    occupancy: computeMeanByCapacity(evaluated, (row) => row.occupancy),
    expected: computeMeanByCapacity(evaluated, (row) => row.expected),
    low: computeMeanByCapacity(evaluated, (row) => row.low),
    high: computeMeanByCapacity(evaluated, (row) => row.high),
    revenue: estimateRevenue(
      evaluated.map((row) => ({ ...row, next: row.new_rate })),
      elasticity,
    ),
  }
}

/** Estimates the revenue at the proposed rates; rows without a proposal retain their rate. */
export const estimateProposedRevenue = (
  rows: readonly Pick<
    PricingRow,
    'current_rate' | 'occupancy' | 'capacity' | 'paid_hours' | 'proposed_rate'
  >[],
  elasticity: number,
): RevenueScenario =>
  estimateRevenue(
    rows.map((row) => ({ ...row, next: row.proposed_rate })),
    elasticity,
  )

/** Returns the mean of a value, weighted by spaces and paid hours; null if no row has a value. */
export function computeMeanByCapacity<Row extends Pick<PricingRow, 'capacity' | 'paid_hours'>>(
  rows: readonly Row[],
  getValue: (row: Row) => number | null,
): number | null {
  let sum = 0
  let totalWeight = 0
  for (const row of rows) {
    const value = getValue(row)
    const weight = (row.capacity ?? 0) * row.paid_hours
    if (value === null || weight <= 0) continue
    sum += value * weight
    totalWeight += weight
  }
  return totalWeight > 0 ? sum / totalWeight : null
}
