import type { Scope } from '#server/stores/scope.ts'
import type { State } from '#server/stores/state.ts'

/** Rows of one statement. */
const rowsPerStatement = 5000

/** Hours of all layers of a region: those of one that failed stand under its id. */
export const allLayers = ''

/**
 * Writes down that hours (begins, ms) must be computed again. `noted` counts up with
 * every note, whatever its own number: what is noted again while an hour is computed stays.
 */
export async function markHoursDirty(
  state: State,
  scope: Scope,
  regionId: string,
  hours: readonly number[],
  noted: bigint,
  layerId = allLayers,
): Promise<void> {
  for (let at = 0; at < hours.length; at += rowsPerStatement)
    await state
      .as(scope)
      .insertInto('cube_hour_dirty')
      .values(
        hours.slice(at, at + rowsPerStatement).map((hour) => ({
          region_id: regionId,
          layer_id: layerId,
          hour: new Date(hour),
          noted: String(noted),
        })),
      )
      .onConflict((of) =>
        of.columns(['region_id', 'layer_id', 'hour']).doUpdateSet((row) => ({
          noted: row.fn<string>('greatest', [row('cube_hour_dirty.noted', '+', '1'), 'excluded.noted']),
        })),
      )
      .execute()
}

/** An hour that waits: its begin, ms. */
export interface DirtyHour {
  hour: number
  noted: string
}

/** Hours of one portion, and how far the oldest may lie behind the newest: what lies between is read. */
const maxHoursPerPortion = 24
const maxSpanHours = 48

/** The newest hours that wait, of all layers or of one. */
export async function listDirtyHours(
  state: State,
  scope: Scope,
  regionId: string,
  layerId = allLayers,
): Promise<DirtyHour[]> {
  const rows = await state
    .as(scope)
    .selectFrom('cube_hour_dirty')
    .select(['hour', 'noted'])
    .where('region_id', '=', regionId)
    .where('layer_id', '=', layerId)
    .orderBy('hour', 'desc')
    .limit(maxHoursPerPortion)
    .execute()
  const newest = rows[0]?.hour.getTime() ?? 0
  return rows
    .map(({ hour, noted }) => ({ hour: hour.getTime(), noted }))
    .filter(({ hour }) => hour > newest - maxSpanHours * 3_600_000)
}

/** The layers that owe hours. */
export async function listLayersWithDirtyHours(
  state: State,
  scope: Scope,
  regionId: string,
): Promise<Set<string>> {
  const rows = await state
    .as(scope)
    .selectFrom('cube_hour_dirty')
    .select('layer_id')
    .distinct()
    .where('region_id', '=', regionId)
    .where('layer_id', '!=', allLayers)
    .execute()
  return new Set(rows.map(({ layer_id: id }) => id))
}

/** Takes hours off the list that were computed as they were noted. */
export async function clearDirtyHours(
  state: State,
  scope: Scope,
  regionId: string,
  hours: readonly DirtyHour[],
  layerId = allLayers,
): Promise<void> {
  if (!hours.length) return
  await state
    .as(scope)
    .deleteFrom('cube_hour_dirty')
    .where('region_id', '=', regionId)
    .where('layer_id', '=', layerId)
    .where((of) =>
      of.or(
        hours.map(({ hour, noted }) => of.and([of('hour', '=', new Date(hour)), of('noted', '=', noted)])),
      ),
    )
    .execute()
}
