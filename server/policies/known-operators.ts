import { listOperators } from '#server/operators/list-operators.ts'
import type { Facts } from '#server/stores/facts.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { State } from '#server/stores/state.ts'

/** Finds operators that policies of a region may name, with their MDS provider id if known. */
export async function findKnownOperators(
  state: State,
  facts: Facts,
  scope: Scope,
  regionId: string,
): Promise<Map<string, string | null>> {
  const [registered, { items }] = await Promise.all([
    state.as(scope).selectFrom('operator').select(['slug', 'provider_id']).execute(),
    listOperators(state, facts, scope, { region_id: regionId, orderBy: 'name', page: 1, size: 1000 }),
  ])
  return new Map(
    items.map(({ slug }) => [
      slug,
      registered.find((operator) => operator.slug === slug)?.provider_id ?? null,
    ]),
  )
}
