import {
  type PricingParameters,
  checkParameters,
  type ParameterError,
} from '#contract/curb-pricing-parameters.ts'
import type { BandOccupancy, BandOccupancyQuestion } from '#contract/curb-occupancy.ts'
import type { PricingRow } from '#contract/curb-pricing.ts'
import { Problem } from '#server/http/problem.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { CurbIndex, IndexedZone } from '../store/curb-index.ts'
import { proposeRate } from './propose-rate.ts'
import { type Cell, cellKey, cellsOf, ZoneRates } from './zone-rates.ts'

/** Occupancy of zones by time band and day type (`server/curb/occupancy/`). */
export type ReadBandOccupancy = (
  scope: Scope,
  question: BandOccupancyQuestion,
  signal: AbortSignal | undefined,
) => Promise<readonly BandOccupancy[]>

/** Occupancy rows by zone and cell. */
export type Occupancies = ReadonlyMap<string, BandOccupancy>
export const occupancyKey = (zoneId: string, cell: string): string => `${zoneId} ${cell}`

type Window = Pick<
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

/** Throws if something is wrong about parameters; the message names the first field. */
export function refuseErrors(errors: readonly ParameterError[]): void {
  const [first] = errors
  if (first)
    throw new Problem(
      'validation_error',
      `${first.field}: ${first.message}`,
      errors.map(({ field, message }) => ({ path: field, message })),
    )
}

/**
 * Occupancy of each cell: of the first kind in the order of preference that has enough days and coverage, else of the
 * first kind that has any. Kinds are never mixed within a value.
 */
export async function readOccupancies(
  read: ReadBandOccupancy,
  scope: Scope,
  regionId: string,
  window: Window,
  signal: AbortSignal | undefined,
): Promise<Occupancies> {
  const found = new Map<string, BandOccupancy>()
  const isGood = (row: BandOccupancy): boolean =>
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
      const key = occupancyKey(row.zone_id, cellKey(row.band, row.day_type))
      const before = found.get(key)
      const isBetter =
        !before || (!isGood(before) && isGood(row)) || (before.occupancy === null && row.occupancy !== null)
      if (isBetter) found.set(key, row)
    }
  }
  return found
}

/** Zones with paid parking in one of the cells, and their rates, as the curb is at an instant. */
export function paidZones(
  index: CurbIndex,
  at: number,
  cells: readonly Cell[],
  zoneIds: readonly string[] | null,
  rates = ZoneRates.of(index, cells),
): { zone: IndexedZone; rates: ReturnType<ZoneRates['ofPolicies']> }[] {
  const wanted = zoneIds && new Set(zoneIds)
  const epoch = index.at(at)
  return epoch.zones.flatMap((zone) => {
    const set = epoch.ruleSetByZone.get(zone.id)
    if (!set || (wanted && !wanted.has(zone.id))) return []
    const ofZone = rates.ofPolicies(set.policies, at, set.rules)
    const isPaid = cells.some(({ key }) => (ofZone.get(key)?.paidMinutes ?? 0) > 0)
    return isPaid ? { zone, rates: ofZone } : []
  })
}

/** What the rule of the parameters proposes for the curb as it is at an instant: one row per zone, time band and day type. */
export function proposeRates(
  index: CurbIndex,
  at: number,
  parameters: PricingParameters,
  occupancies: Occupancies,
): PricingRow[] {
  const cells = cellsOf(parameters.bands, parameters.day_types)
  const known = ZoneRates.of(index, cells)
  return paidZones(index, at, cells, parameters.curb_zone_ids, known).flatMap(({ zone, rates }) => {
    const lastChanges = known.lastChanges(zone.id, at)
    return cells.map(({ key, band, dayType }): PricingRow => {
      const found = rates.get(key)
      const occupancy = occupancies.get(occupancyKey(zone.id, key))
      const lastChange = lastChanges.get(key) ?? null
      const measured = {
        occupancy: occupancy?.occupancy ?? null,
        days: occupancy?.days ?? 0,
        coverage: occupancy?.coverage ?? null,
        capacity: occupancy?.capacity ?? null,
      }
      const rate = found?.rate ?? null
      return {
        ...describeZone(zone),
        band: band.key,
        day_type: dayType.key,
        current_rate: rate,
        ...measured,
        kind: occupancy?.kind ?? null,
        interval: occupancy?.interval ? [...occupancy.interval] : null,
        last_change: lastChange,
        paid_hours: (found?.paidMinutes ?? 0) / 60,
        ...proposeRate(parameters, { rate, refusal: found?.refusal ?? null, ...measured, lastChange }),
      }
    })
  })
}

export const describeZone = (zone: IndexedZone) => ({
  curb_zone_id: zone.id,
  shape_name: zone.label,
  street_name: zone.streetName,
  street_side: zone.side,
  bbox: zone.box,
})

/** Checks parameters, reads occupancies and proposes rates for the curb at an instant. */
export async function queryOccupancyTarget(
  read: ReadBandOccupancy,
  index: CurbIndex,
  scope: Scope,
  parameters: PricingParameters,
  at: number,
  signal?: AbortSignal,
): Promise<PricingRow[]> {
  refuseErrors(checkParameters(parameters))
  const occupancies = await readOccupancies(read, scope, index.regionId, parameters, signal)
  return proposeRates(index, at, parameters, occupancies)
}
