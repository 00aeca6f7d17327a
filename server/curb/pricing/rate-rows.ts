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
import { compareZoneIds } from '../store/zone-rows.ts'
import { estimateProposedRevenue } from './rate-scenario.ts'
import { listCells } from './zone-rates.ts'

export interface RateRowFilter {
  band?: string | null | undefined
  day_type?: string | null | undefined
  outcome?: RowOutcome | null | undefined
  text?: string | undefined
}

type FilterableRow = Pick<PricingRow, 'band' | 'day_type' | 'shape_name' | 'curb_zone_id'>

/** Returns the rows of a band, day type and outcome with a text in their shape name or zone id. */
export function filterRows<Row extends FilterableRow>(
  rows: readonly Row[],
  { band, day_type: dayType, outcome, text = '' }: RateRowFilter,
): Row[] {
  const searchText = text.trim().toLowerCase()
  return rows.filter(
    (row) =>
      (!band || row.band === band) &&
      (!dayType || row.day_type === dayType) &&
      (!outcome || getRowOutcome(row as unknown as PricingRow) === outcome) &&
      (!searchText || `${row.shape_name} ${row.curb_zone_id}`.toLowerCase().includes(searchText)),
  )
}

type SortValue = string | number | null | undefined

/** Sorts by a key (`-`: descending, null last), then by street, zone, day type and band. */
export function sortRows<Row extends FilterableRow & { current_rate: number | null }>(
  rows: readonly Row[],
  sort: string,
  positions: ReadonlyMap<string, number>,
): Row[] {
  const sign = sort.startsWith('-') ? -1 : 1
  const key = sort.replace(/^[+-]/, '')
  const getValue = (row: Row): SortValue => {
    if (key === 'shape_name') return getRank(row)
    if (key === 'band' || key === 'day_type') return positions.get(`${key} ${row[key]}`)
    if (key !== 'change') return (row as unknown as Record<string, SortValue>)[key]
    const proposedRate = (row as unknown as PricingRow).proposed_rate
    return proposedRate === null || row.current_rate === null ? null : proposedRate - row.current_rate
  }
  // A day type has fewer than 100 bands.
  const getPosition = (row: Row): number =>
    (positions.get(`day_type ${row.day_type}`) ?? 0) * 100 + (positions.get(`band ${row.band}`) ?? 0)
  // Compares each distinct name only once: comparing names is slow, and many rows share a name.
  const ranks = new Map(
    [...new Set(rows.map((row) => row.shape_name))]
      .toSorted(nameOrder.compare)
      .map((name, index) => [name, index]),
  )
  const getRank = (row: Row): number => ranks.get(row.shape_name) ?? 0
  const compare = (a: SortValue, b: SortValue): number => {
    if (typeof a === 'number' && typeof b === 'number') return (a - b) * sign
    if ((a ?? null) === null || (b ?? null) === null)
      return Number((a ?? null) === null) - Number((b ?? null) === null)
    return nameOrder.compare(String(a), String(b)) * sign
  }
  return rows.toSorted(
    (a, b) =>
      compare(getValue(a), getValue(b)) ||
      getRank(a) - getRank(b) ||
      compareZoneIds(a, b) ||
      getPosition(a) - getPosition(b),
  )
}

const nameOrder = new Intl.Collator('en', { numeric: true })

/** Returns the positions of bands and day types in their parameters, by `band KEY` and `day_type KEY`. */
export const getPositions = ({
  bands,
  day_types: types,
}: Pick<PricingParameters, 'bands' | 'day_types'>): Map<string, number> =>
  new Map([
    ...bands.map(({ key }, index) => [`band ${key}`, index] as const),
    ...types.map(({ key }, index) => [`day_type ${key}`, index] as const),
  ])

/** Returns a page of rows; `page` starts at 1. */
export const getPageOfRows = <Row>(rows: readonly Row[], { page, size }: { page: number; size: number }) => ({
  items: rows.slice((page - 1) * size, page * size),
  total: rows.length,
  page,
  size,
})

/** Summarizes rows: outcomes, changes, limits, occupancy against the target, and revenue. */
export function summarize(
  rows: readonly PricingRow[],
  parameters: Pick<PricingParameters, 'bands' | 'day_types' | 'target'>,
  currency: string,
  elasticity: number,
): OccupancyTargetSummary {
  const counts = rowOutcomes.map((outcome) => [outcome, 0])
  const outcomes = Object.fromEntries(counts) as Record<RowOutcome, number>
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
  const targets = listCells(parameters.bands, parameters.day_types).map(({ band, dayType }) => {
    const cellRows = rows.filter((row) => row.band === band.key && row.day_type === dayType.key)
    const countOccupancies = (isIn: (occupancy: number) => boolean): number =>
      cellRows.filter(({ occupancy }) => occupancy !== null && isIn(occupancy)).length
    return {
      band: band.key,
      day_type: dayType.key,
      under: countOccupancies((value) => value < target.from),
      in: countOccupancies((value) => target.from <= value && value < target.until),
      over: countOccupancies((value) => value >= target.until),
      unknown: cellRows.filter(({ occupancy }) => occupancy === null).length,
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
    revenue: estimateProposedRevenue(rows, elasticity),
  }
}
