import type { BandOccupancy, BandOccupancyQuery } from '#contract/curb-occupancy.ts'
import {
  checkParameters,
  type ParameterError,
  type PricingParameters,
} from '#contract/curb-pricing-parameters.ts'
import type { PricingRow } from '#contract/curb-pricing.ts'
import { Problem } from '#server/http/problem.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { CurbIndex, IndexedZone } from '../store/curb-index.ts'
import { proposeRate } from './propose-rate.ts'
import { type Cell, toCellKey, type CellRates, listCells, ZoneRates } from './zone-rates.ts'

/** Reads occupancies of zones by time band and day type; implemented in `server/curb/occupancy/`. */
export type ReadBandOccupancy = (
  scope: Scope,
  query: BandOccupancyQuery,
  signal: AbortSignal | undefined,
) => Promise<readonly BandOccupancy[]>

/** Occupancies by `makeOccupancyKey`. */
export type Occupancies = ReadonlyMap<string, BandOccupancy>
/** Returns the key of a zone's cell; `cell` is from `toCellKey`. */
export const makeOccupancyKey = (zoneId: string, cell: string): string => `${zoneId} ${cell}`

type OccupancyWindow = Pick<
  PricingParameters,
  | 'bands'
  | 'day_types'
  | 'start_date'
  | 'end_date'
  | 'excluded_days'
  | 'kinds'
  | 'min_days'
  | 'min_coverage'
  | 'curb_zone_ids'
>

/** Requires that there are no errors. @throws Problem `validation_error` with the first one as message. */
export function requireNoErrors(errors: readonly ParameterError[]): void {
  const [firstError] = errors
  if (firstError)
    throw new Problem(
      'validation_error',
      `${firstError.field}: ${firstError.message}`,
      errors.map(({ field, message }) => ({ path: field, message })),
    )
}

/**
 * Reads the occupancy of each cell from the first kind, in order of preference, with enough days and
 * coverage, or else from the first kind with any occupancy. A value never mixes kinds.
 */
export async function readOccupancies(
  read: ReadBandOccupancy,
  { scope, regionId, signal }: { scope: Scope; regionId: string; signal?: AbortSignal | undefined },
  window: OccupancyWindow,
): Promise<Occupancies> {
  const occupancies = new Map<string, BandOccupancy>()
  const isSufficient = (row: BandOccupancy): boolean =>
    row.occupancy !== null && row.days >= window.min_days && row.coverage >= window.min_coverage
  for (const kind of window.kinds) {
    const rows = await read(
      scope,
      {
        regionId,
        zoneIds: window.curb_zone_ids,
        bands: window.bands,
        dayTypes: window.day_types,
        from: window.start_date,
        until: window.end_date,
        excludedDays: window.excluded_days,
        kind,
      },
      signal,
    )
    for (const row of rows) {
      const key = makeOccupancyKey(row.zone_id, toCellKey(row.band, row.day_type))
      const previous = occupancies.get(key)
      const isBetter =
        !previous ||
        (!isSufficient(previous) && isSufficient(row)) ||
        (previous.occupancy === null && row.occupancy !== null)
      if (isBetter) occupancies.set(key, row)
    }
  }
  return occupancies
}

/** Lists zones with paid parking in one of the cells at an instant, with their rates. `zoneIds`: null for all. */
export function listPaidZones(
  index: CurbIndex,
  at: number,
  cells: readonly Cell[],
  zoneIds: readonly string[] | null,
): { zone: IndexedZone; rates: CellRates }[] {
  const zoneRates = ZoneRates.forIndex(index, cells)
  const includedIds = zoneIds && new Set(zoneIds)
  const epoch = index.at(at)
  return epoch.zones.flatMap((zone) => {
    const ruleSet = epoch.ruleSetByZone.get(zone.id)
    if (!ruleSet || (includedIds && !includedIds.has(zone.id))) return []
    const rates = zoneRates.getRates(ruleSet.policies, at, ruleSet.rules)
    const isPaid = cells.some(({ key }) => (rates.get(key)?.paidMinutes ?? 0) > 0)
    return isPaid ? { zone, rates } : []
  })
}

/** Proposes rates for the curb at an instant: one row per zone, time band and day type. */
export function proposeRates(
  index: CurbIndex,
  at: number,
  parameters: PricingParameters,
  occupancies: Occupancies,
): PricingRow[] {
  const cells = listCells(parameters.bands, parameters.day_types)
  const zoneRates = ZoneRates.forIndex(index, cells)
  return listPaidZones(index, at, cells, parameters.curb_zone_ids).flatMap(({ zone, rates }) => {
    const lastChanges = zoneRates.findLastChanges(zone.id, at)
    return cells.map(({ key, band, dayType }): PricingRow => {
      const cellRate = rates.get(key)
      const occupancy = occupancies.get(makeOccupancyKey(zone.id, key))
      const lastChange = lastChanges.get(key) ?? null
      const occupancyFacts = {
        occupancy: occupancy?.occupancy ?? null,
        days: occupancy?.days ?? 0,
        coverage: occupancy?.coverage ?? null,
        capacity: occupancy?.capacity ?? null,
      }
      const rate = cellRate?.rate ?? null
      return {
        ...describeZone(zone),
        band: band.key,
        day_type: dayType.key,
        current_rate: rate,
        ...occupancyFacts,
        kind: occupancy?.kind ?? null,
        interval: occupancy?.interval ? [...occupancy.interval] : null,
        last_change: lastChange,
        paid_hours: (cellRate?.paidMinutes ?? 0) / 60,
        ...proposeRate(parameters, {
          rate,
          refusal: cellRate?.refusal ?? null,
          ...occupancyFacts,
          lastChange,
        }),
      }
    })
  })
}

/** Returns the columns of rows that describe the zone. */
export const describeZone = (zone: IndexedZone) => ({
  curb_zone_id: zone.id,
  shape_name: zone.label,
  street_name: zone.streetName,
  street_side: zone.side,
  bbox: zone.box,
})

/** Checks parameters, reads occupancies and proposes rates for the curb at an instant (ms since 1970). */
export async function queryOccupancyTarget(
  read: ReadBandOccupancy,
  index: CurbIndex,
  { scope, at, signal }: { scope: Scope; at: number; signal: AbortSignal },
  parameters: PricingParameters,
): Promise<PricingRow[]> {
  requireNoErrors(checkParameters(parameters))
  const occupancies = await readOccupancies(read, { scope, regionId: index.regionId, signal }, parameters)
  return proposeRates(index, at, parameters, occupancies)
}
