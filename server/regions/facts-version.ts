import type { Scope } from '#server/stores/scope.ts'
import type { State } from '#server/stores/state.ts'

/** Reads the version of a region's facts, which increases with every change. Responses are cached by it. */
export async function readFactsVersion(state: State, scope: Scope, regionId: string): Promise<string> {
  const row = await state
    .as(scope)
    .selectFrom('region_facts')
    .select('facts_version')
    .where('region_id', '=', regionId)
    .executeTakeFirst()
  return row?.facts_version ?? '0'
}

/** Increases the version. To be called after every change of facts, once it is visible to readers. */
export async function increaseFactsVersion(
  state: Pick<State, 'as'>,
  scope: Scope,
  regionId: string,
): Promise<void> {
  await state
    .as(scope)
    .insertInto('region_facts')
    .values({ region_id: regionId, facts_version: 1 })
    .onConflict((conflict) =>
      conflict
        .column('region_id')
        .doUpdateSet((row) => ({ facts_version: row('region_facts.facts_version', '+', '1') })),
    )
    .execute()
}
