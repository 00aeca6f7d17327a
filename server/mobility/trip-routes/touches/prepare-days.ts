import type { Box } from '#contract/place.ts'
import type { Facts } from '#server/stores/facts.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { DueDay } from '../queries/way-days.ts'
import { goneWays, waysOfDays, type WayRow, wayShapeColumns } from '../queries/way-shapes.ts'
import type { Portion } from './portions-of.ts'
import type { WayToucher } from './way-toucher.ts'

const limits = { limits: { seconds: 600, memory: 4 * 2 ** 30 } }

export interface Preparing {
  facts: Facts
  /** Of the whole region. */
  scope: Scope
  regionId: string
  listId: string
}

/** Holds the ways of a portion that are asked for against the shapes, and writes down which they touch. */
export async function holdWays(
  { facts, scope, regionId }: Preparing,
  { days, parts }: Portion,
  toucher: WayToucher,
  boxes: readonly Box[] | null,
): Promise<void> {
  for (let part = 0; part < parts; part++) {
    const ways = await facts.rows<WayRow>(scope, waysOfDays({ regionId, days, parts, part, boxes }), limits)
    if (ways.length)
      await facts.insert(scope, 'way_shapes', wayShapeColumns, regionId, await toucher.lines(ways, regionId))
  }
}

/** Brings a list in line with the ways of a portion's days: those that are new, changed and gone. Repeated, nothing changes. */
export async function prepareDays(
  preparing: Preparing,
  portion: Portion,
  toucher: WayToucher,
): Promise<void> {
  const { facts, scope, regionId, listId } = preparing
  await holdWays(preparing, portion, toucher, null)
  const known = portion.days.filter(({ since }) => since !== '0')
  if (known.length)
    await facts.add(scope, 'way_shapes', wayShapeColumns, goneWays({ regionId, days: known }, listId), limits)
  await markDays(preparing, portion.days)
}

/** Writes down that a list knows days as they stood when they were found to be due. */
export async function markDays(
  { facts, scope, regionId, listId }: Preparing,
  days: readonly DueDay[],
): Promise<void> {
  if (days.length)
    await facts.insert(
      scope,
      'way_days',
      ['region_id', 'list_id', 'local_date', 'version', 'version_rows'],
      regionId,
      Buffer.from(
        days
          .map(
            ({ day, version, version_rows: rows }) => `${regionId}\t${listId}\t${day}\t${version}\t${rows}\n`,
          )
          .join(''),
      ),
    )
}
