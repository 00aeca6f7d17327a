import { hourMs, hourOf } from './cube-clock.ts'
import type { CubeRegion } from './cube-region.ts'
import type { Cubing } from './cubing.ts'
import { noteHours } from './dirty-hours.ts'

/** Notes each hour that has ended since the last time: vehicles that only stand write no event. */
export async function noteEndedHours(
  { state, nextVersion, at }: Cubing,
  { regionId, scope, shift }: CubeRegion,
): Promise<void> {
  const until = hourOf(at.getTime(), shift)
  const known = await state
    .as(scope)
    .selectFrom('cube_region')
    .select('ended_until')
    .where('region_id', '=', regionId)
    .executeTakeFirst()
  const from = known?.ended_until.getTime() ?? until
  const hours = Array.from(
    { length: Math.max(0, Math.ceil((until - from) / hourMs)) },
    (_, back) => until - (back + 1) * hourMs,
  )
  if (known && !hours.length) return
  await noteHours(state, scope, regionId, hours, nextVersion())
  await state
    .as(scope)
    .insertInto('cube_region')
    .values({ region_id: regionId, ended_until: new Date(until) })
    .onConflict((of) => of.column('region_id').doUpdateSet({ ended_until: new Date(until) }))
    .execute()
}
