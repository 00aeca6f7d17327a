import type { BandOccupancy, OccupancyKind } from '#contract/curb-occupancy.ts'
import type { EffectReport, getEffectReport, ProposalRow } from '#contract/curb-price-proposals.ts'
import { dayFromNumber, dayNumber, localDay } from '#contract/period.ts'
import type { Call } from '#server/http/route.ts'
import { type Occupancies, makeOccupancyKey, readOccupancies } from '../propose-rates.ts'
import { computeMeanByCapacity } from '../rate-scenario.ts'
import { toCellKey } from '../zone-rates.ts'
import { findEffectiveDay, type Pricing } from './proposal-detail.ts'
import { findProposal, readRows, getSkippedZones, getStatus, type StoredProposal } from './proposal-store.ts'

/**
 * Compares occupancy before and after rates took effect: in the window of the proposal, and in as many days
 * from the effective day on. Each row uses the same kind of occupancy in both.
 */
export async function readEffectReport(
  { state, indexes, readOccupancy }: Pricing,
  { viewer: { scope }, params, at, signal }: Call<typeof getEffectReport>,
): Promise<EffectReport> {
  const { region_id: regionId, proposal_id: id } = params
  const { timezone } = await indexes.get(scope, regionId)
  const store = state.as(scope)
  const proposal = await findProposal(store, regionId, id)
  const { parameters } = proposal
  const before = { start_date: parameters.start_date, end_date: parameters.end_date }
  const after = findAfterWindow(proposal, timezone, at)
  const rows = (await readRows(store, proposal)).filter((row) => row.current_rate !== null)
  const source = { scope, regionId, signal }
  const readAfter = async (kind: OccupancyKind): Promise<readonly [OccupancyKind, Occupancies]> => [
    kind,
    await readOccupancies(readOccupancy, source, { ...parameters, ...after, kinds: [kind] }),
  ]
  const occupanciesByKind = new Map(after ? await Promise.all(parameters.kinds.map(readAfter)) : [])
  const skippedIds = new Set(getSkippedZones(proposal).map((zone) => zone.curb_zone_id))
  const items = rows.map((row) => {
    const cell = makeOccupancyKey(row.curb_zone_id, toCellKey(row.band, row.day_type))
    const occupancy = row.kind ? occupanciesByKind.get(row.kind)?.get(cell) : undefined
    return compareRow(row, occupancy, skippedIds.has(row.curb_zone_id))
  })
  return {
    before,
    after,
    groups: (['up', 'down', 'unchanged'] as const).map((direction) =>
      summarizeDirection(items, direction, after !== null),
    ),
    items: items.map(({ capacity: _capacity, paid_hours: _hours, ...item }) => item),
  }
}

/** Finds as many days from the effective day as in the window, until yesterday; null if none yet. */
function findAfterWindow(proposal: StoredProposal, timezone: string, at: Date): EffectReport['after'] {
  const { start_date, end_date } = proposal.parameters
  const start = dayNumber(findEffectiveDay(proposal, timezone))
  const length = dayNumber(end_date) - dayNumber(start_date)
  const end = Math.min(start + length, dayNumber(localDay(at, timezone)) - 1)
  const isKnown = getStatus(proposal) === 'in_force' && end >= start
  return isKnown ? { start_date: dayFromNumber(start), end_date: dayFromNumber(end) } : null
}

type ComparedRow = ReturnType<typeof compareRow>

/** Returns a row before and after. `isSkipped` is true if its zone retained its rates. */
function compareRow(row: ProposalRow, after: BandOccupancy | undefined, isSkipped: boolean) {
  const rate = row.current_rate ?? 0
  return {
    curb_zone_id: row.curb_zone_id,
    shape_name: row.shape_name,
    band: row.band,
    day_type: row.day_type,
    rate_before: rate,
    rate_after: isSkipped ? rate : (row.final_rate ?? rate),
    kind: row.kind,
    occupancy_before: row.occupancy,
    occupancy_after: after?.occupancy ?? null,
    days_after: after?.days ?? 0,
    coverage_after: after?.coverage ?? null,
    capacity: row.capacity,
    paid_hours: row.paid_hours,
  }
}

const directionSigns = { up: 1, down: -1, unchanged: 0 }

/** Returns the mean occupancy of the rows with rates that changed in a direction. */
function summarizeDirection(
  rows: readonly ComparedRow[],
  direction: keyof typeof directionSigns,
  hasAfter: boolean,
) {
  const group = rows.filter(
    (row) => Math.sign(row.rate_after - row.rate_before) === directionSigns[direction],
  )
  // Only rows with both values, so that both means cover the same curb.
  const comparable = hasAfter
    ? group.filter((row) => row.occupancy_before !== null && row.occupancy_after !== null)
    : group
  return {
    direction,
    rows: group.length,
    occupancy_before: computeMeanByCapacity(comparable, (row) => row.occupancy_before),
    occupancy_after: computeMeanByCapacity(comparable, (row) => row.occupancy_after),
  }
}
