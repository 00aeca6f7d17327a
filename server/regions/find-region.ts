import type { Region } from '#contract/regions.ts'
import { Problem } from '#server/http/problem.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { State } from '#server/stores/state.ts'
import { readRegion } from './read-region.ts'

/** One region of the Scope; not found also where it exists for others. */
export async function findRegion(state: State, scope: Scope, regionId: string): Promise<Region> {
  const row = await state
    .as(scope)
    .selectFrom('region')
    .selectAll()
    .where('region_id', '=', regionId)
    .executeTakeFirst()
  if (!row) throw new Problem('not_found', `There is no region '${regionId}'.`)
  return readRegion(row)
}
