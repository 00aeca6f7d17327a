import type { Scope } from '#server/stores/scope.ts'
import type { State } from '#server/stores/state.ts'

/** Rows of one statement. */
const rowsPerStatement = 5000
/** Days of one portion: a few hundred thousand routes. */
const maxDaysPerPortion = 20

/** A local day that waits. */
export interface DirtyRouteDay {
  day: string
  noted: string
}

/** Writes down that the segment volumes of local days must be computed again. `noted` counts up with every note, as in the cubes' list of hours. */
export async function markRouteDaysDirty(
  state: Pick<State, 'as'>,
  scope: Scope,
  regionId: string,
  days: readonly string[],
  noted: bigint,
): Promise<void> {
  for (let at = 0; at < days.length; at += rowsPerStatement)
    await state
      .as(scope)
      .insertInto('route_day_dirty')
      .values(
        days
          .slice(at, at + rowsPerStatement)
          .map((day) => ({ region_id: regionId, local_date: day, noted: String(noted) })),
      )
      .onConflict((of) =>
        of.columns(['region_id', 'local_date']).doUpdateSet((row) => ({
          noted: row.fn<string>('greatest', [row('route_day_dirty.noted', '+', '1'), 'excluded.noted']),
        })),
      )
      .execute()
}

/** The newest days that wait. */
export async function listDirtyRouteDays(
  state: Pick<State, 'as'>,
  scope: Scope,
  regionId: string,
): Promise<DirtyRouteDay[]> {
  const rows = await state
    .as(scope)
    .selectFrom('route_day_dirty')
    .select(['local_date', 'noted'])
    .where('region_id', '=', regionId)
    .orderBy('local_date', 'desc')
    .limit(maxDaysPerPortion)
    .execute()
  return rows.map(({ local_date: day, noted }) => ({ day, noted }))
}

/** Takes days off the list that were computed as they were noted. */
export async function clearDirtyRouteDays(
  state: Pick<State, 'as'>,
  scope: Scope,
  regionId: string,
  days: readonly DirtyRouteDay[],
): Promise<void> {
  if (!days.length) return
  await state
    .as(scope)
    .deleteFrom('route_day_dirty')
    .where('region_id', '=', regionId)
    .where((of) =>
      of.or(days.map(({ day, noted }) => of.and([of('local_date', '=', day), of('noted', '=', noted)]))),
    )
    .execute()
}
