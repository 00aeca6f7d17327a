import type { EffectReport } from '#contract/curb-price-proposals.ts'
import { dayFromNumber, dayNumber, localDay } from '#contract/period.ts'
import type { Scope } from '#server/stores/scope.ts'
import { occupancyKey, readOccupancies } from '../propose-rates.ts'
import { meanByCapacity } from '../rate-scenario.ts'
import { cellKey } from '../zone-rates.ts'
import { effectiveDay, type Pricing } from './manage-proposals.ts'
import { findProposal, readRows, getSkippedZones, getStatus } from './proposal-store.ts'

/**
 * Compares occupancy before and after rates took effect: in the window of the proposal, and in as many days
 * from the effective day on. Each row uses the same kind of occupancy in both.
 */
export async function readEffectReport(
  { state, indexes, readOccupancy }: Pricing,
  {
    scope,
    regionId,
    id,
    at,
    signal,
  }: { scope: Scope; regionId: string; id: string; at: Date; signal: AbortSignal },
): Promise<EffectReport> {
  const index = await indexes.get(scope, regionId)
  const store = state.as(scope)
  const proposal = await findProposal(store, regionId, id)
  const { parameters } = proposal
  const before = { start_date: parameters.start_date, end_date: parameters.end_date }
  const start = dayNumber(effectiveDay(proposal, index.timezone))
  const length = dayNumber(before.end_date) - dayNumber(before.start_date)
  const end = Math.min(start + length, dayNumber(localDay(at, index.timezone)) - 1)
  const isKnown = getStatus(proposal) === 'in_force' && end >= start
  const after = isKnown ? { start_date: dayFromNumber(start), end_date: dayFromNumber(end) } : null
  const skipped = new Set(getSkippedZones(proposal).map((zone) => zone.curb_zone_id))
  const rows = (await readRows(store, proposal)).filter((row) => row.current_rate !== null)
  const occupanciesByKind = new Map(
    after
      ? await Promise.all(
          parameters.kinds.map(
            async (kind) =>
              [
                kind,
                await readOccupancies(
                  readOccupancy,
                  { scope, regionId, signal },
                  { ...parameters, ...after, kinds: [kind] },
                ),
              ] as const,
          ),
        )
      : [],
  )
  const items = rows.map((row) => {
    const occupancy = row.kind
      ? occupanciesByKind.get(row.kind)?.get(occupancyKey(row.curb_zone_id, cellKey(row.band, row.day_type)))
      : undefined
    const rate = row.current_rate ?? 0
    return {
      curb_zone_id: row.curb_zone_id,
      shape_name: row.shape_name,
      band: row.band,
      day_type: row.day_type,
      rate_before: rate,
      rate_after: skipped.has(row.curb_zone_id) ? rate : (row.final_rate ?? rate),
      kind: row.kind,
      occupancy_before: row.occupancy,
      occupancy_after: occupancy?.occupancy ?? null,
      days_after: occupancy?.days ?? 0,
      coverage_after: occupancy?.coverage ?? null,
      capacity: row.capacity,
      paid_hours: row.paid_hours,
    }
  })
  const groups = (['up', 'down', 'unchanged'] as const).map((direction) => {
    const group = items.filter(
      (item) =>
        Math.sign(item.rate_after - item.rate_before) === { up: 1, down: -1, unchanged: 0 }[direction],
    )
    // Only rows with both values, so that both means cover the same curb.
    const comparable = after
      ? group.filter((item) => item.occupancy_before !== null && item.occupancy_after !== null)
      : group
    return {
      direction,
      rows: group.length,
      occupancy_before: meanByCapacity(comparable, (item) => item.occupancy_before),
      occupancy_after: meanByCapacity(comparable, (item) => item.occupancy_after),
    }
  })
  return {
    before,
    after,
    groups,
    items: items.map(({ capacity: _capacity, paid_hours: _hours, ...item }) => item),
  }
}
