import type { Scope } from '#server/stores/scope.ts'
import type { State } from '#server/stores/state.ts'

/** Counts up whenever a fact of the region changes: kept answers belong to one version. */
export async function factsVersion(state: State, scope: Scope, regionId: string): Promise<string> {
  const row = await state
    .as(scope)
    .selectFrom('region')
    .select('facts_version')
    .where('region_id', '=', regionId)
    .executeTakeFirst()
  return row?.facts_version ?? '0'
}

/** To be called with every change of facts, once it can be read. */
export async function countFactsVersion(
  state: Pick<State, 'as'>,
  scope: Scope,
  regionId: string,
): Promise<void> {
  await state
    .as(scope)
    .updateTable('region')
    .set((of) => ({ facts_version: of('facts_version', '+', '1') }))
    .where('region_id', '=', regionId)
    .execute()
}
