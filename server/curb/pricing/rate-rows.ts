import type { PricingParameters } from '#contract/curb-pricing-parameters.ts'
import {
  getRowOutcome,
  type OccupancyTargetSummary,
  type PricingLimit,
  pricingLimits,
  type PricingRow,
  type RowOutcome,
  rowOutcomes,
} from '#contract/curb-pricing.ts'
import { proposedRevenue } from './rate-scenario.ts'
import { cellsOf } from './zone-rates.ts'

export interface RowFilter {
  band?: string | null | undefined
  day_type?: string | null | undefined
  outcome?: RowOutcome | null | undefined
  text?: string | undefined
}

type Filtered = Pick<PricingRow, 'band' | 'day_type' | 'shape_name' | 'curb_zone_id'>

/** Rows of a band, day type and outcome that have a text in their street or ID. */
export function filterRows<Row extends Filtered>(
  rows: readonly Row[],
  { band, day_type: dayType, outcome, text = '' }: RowFilter,
): Row[] {
  const wanted = text.trim().toLowerCase()
  return rows.filter(
    (row) =>
      (!band || row.band === band) &&
      (!dayType || row.day_type === dayType) &&
      (!outcome || getRowOutcome(row as unknown as PricingRow) === outcome) &&
      (!wanted || `${row.shape_name} ${row.curb_zone_id}`.toLowerCase().includes(wanted)),
  )
}

type Value = string | number | null | undefined

/** Rows by a key with a sign; missing values come last. Equal rows are by street, zone, band and day type. */
export function sortRows<Row extends Filtered & { current_rate: number | null }>(
  rows: readonly Row[],
  sort: string,
  orderOf: ReadonlyMap<string, number>,
): Row[] {
  const sign = sort.startsWith('-') ? -1 : 1
  const key = sort.replace(/^[+-]/, '')
  const valueOf = (row: Row): Value => {
    if (key === 'shape_name') return rankOf(row)
    if (key === 'band' || key === 'day_type') return orderOf.get(`${key} ${row[key]}`)
    if (key !== 'change') return (row as unknown as Record<string, Value>)[key]
    const next = (row as unknown as PricingRow).proposed_rate
    return next === null || row.current_rate === null ? null : next - row.current_rate
  }
  const place = (row: Row): number =>
    (orderOf.get(`day_type ${row.day_type}`) ?? 0) * 100 + (orderOf.get(`band ${row.band}`) ?? 0)
  // Each name is compared once, not for each row.
  const ranks = new Map(
    [...new Set(rows.map((row) => row.shape_name))].toSorted(names.compare).map((name, at) => [name, at]),
  )
  const rankOf = (row: Row): number => ranks.get(row.shape_name) ?? 0
  const compare = (a: Value, b: Value): number => {
    if (typeof a === 'number' && typeof b === 'number') return (a - b) * sign
    if ((a ?? null) === null || (b ?? null) === null)
      return Number((a ?? null) === null) - Number((b ?? null) === null)
    return names.compare(String(a), String(b)) * sign
  }
  return rows.toSorted(
    (a, b) =>
      compare(valueOf(a), valueOf(b)) ||
      rankOf(a) - rankOf(b) ||
      (a.curb_zone_id < b.curb_zone_id ? -1 : a.curb_zone_id > b.curb_zone_id ? 1 : place(a) - place(b)),
  )
}

const names = new Intl.Collator('en', { numeric: true })

/** Positions of bands and day types in their parameters. */
export const orderOf = ({
  bands,
  day_types: types,
}: Pick<PricingParameters, 'bands' | 'day_types'>): Map<string, number> =>
  new Map([
    ...bands.map(({ key }, at) => [`band ${key}`, at] as const),
    ...types.map(({ key }, at) => [`day_type ${key}`, at] as const),
  ])

export const pageRows = <Row>(rows: readonly Row[], { page, size }: { page: number; size: number }) => ({
  items: rows.slice((page - 1) * size, page * size),
  total: rows.length,
  page,
  size,
})

/** What rows propose, in sums. */
export function summarize(
  rows: readonly PricingRow[],
  parameters: Pick<PricingParameters, 'bands' | 'day_types' | 'target'>,
  currency: string,
  elasticity: number,
): OccupancyTargetSummary {
  const outcomes = Object.fromEntries(rowOutcomes.map((outcome) => [outcome, 0])) as Record<
    RowOutcome,
    number
  >
  const histogram = new Map<number, number>()
  const limits = new Map<PricingLimit, number>()
  for (const row of rows) {
    outcomes[getRowOutcome(row)] += 1
    if (row.proposed_rate !== null && row.current_rate !== null) {
      const change = row.proposed_rate - row.current_rate
      histogram.set(change, (histogram.get(change) ?? 0) + 1)
    }
    for (const limit of row.limits) limits.set(limit, (limits.get(limit) ?? 0) + 1)
  }
  const { target } = parameters
  const targets = cellsOf(parameters.bands, parameters.day_types).map(({ band, dayType }) => {
    const own = rows.filter((row) => row.band === band.key && row.day_type === dayType.key)
    const count = (isIn: (occupancy: number) => boolean): number =>
      own.filter(({ occupancy }) => occupancy !== null && isIn(occupancy)).length
    return {
      band: band.key,
      day_type: dayType.key,
      under: count((value) => value < target.from),
      in: count((value) => target.from <= value && value < target.until),
      over: count((value) => value >= target.until),
      unknown: own.filter(({ occupancy }) => occupancy === null).length,
    }
  })
  return {
    currency,
    rows: rows.length,
    zones: new Set(rows.map((row) => row.curb_zone_id)).size,
    outcomes,
    histogram: [...histogram]
      .map(([change, count]) => ({ change, rows: count }))
      .sort((a, b) => a.change - b.change),
    limits: pricingLimits.flatMap((limit) => {
      const count = limits.get(limit)
      return count === undefined ? [] : { limit, rows: count }
    }),
    targets,
    revenue: proposedRevenue(rows, elasticity),
  }
}
