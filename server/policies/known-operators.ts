import { listOperators } from '#server/operators/list-operators.ts'
import type { Facts } from '#server/stores/facts.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { State } from '#server/stores/state.ts'

/** Operators that a policy of a region may name: those that somebody named, that have a feed there, or trips. With their MDS provider id where one is known. */
export async function knownOperators(state: State, facts: Facts, scope: Scope, regionId: string): Promise<Map<string, string | null>> {
  const [named, feeds, { items }] = await Promise.all([
    state.as(scope).selectFrom('operator').select(['slug', 'provider_id']).execute(),
    state.as(scope).selectFrom('feed').select('operator').distinct().where('region_id', '=', regionId).where('operator', 'is not', null).execute(),
    listOperators(state, facts, scope, { region_id: regionId, orderBy: 'name', page: 1, size: 1000 }),
  ])
  const slugs = [...feeds.map(({ operator }) => operator ?? ''), ...items.map(({ slug }) => slug)]
  return new Map([...slugs.map((slug): [string, null] => [slug, null]), ...named.map(({ slug, provider_id: id }): [string, string | null] => [slug, id])])
}
