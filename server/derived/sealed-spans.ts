import type { Scope } from '#server/stores/scope.ts'
import type { State } from '#server/stores/state.ts'

type ScopedState = Pick<State, 'as'>

/** Finds the seal, the first span that may still be derived: facts before it were removed. Null: all may. */
export async function findSeal(
  state: ScopedState,
  scope: Scope,
  { product, regionId }: { product: string; regionId: string },
): Promise<string | null> {
  const row = await state
    .as(scope)
    .selectFrom('derived_seal')
    .select('before_span')
    .where('region_id', '=', regionId)
    .where('product', '=', product)
    .executeTakeFirst()
  return row?.before_span ?? null
}

/** Seals spans by product: later marks are ignored, dirty ones are derived. Seals never move back. */
export async function sealSpans(
  state: ScopedState,
  scope: Scope,
  regionId: string,
  seals: Readonly<Record<string, string>>,
): Promise<void> {
  for (const [product, seal] of Object.entries(seals)) {
    const currentSeal = await findSeal(state, scope, { product, regionId })
    if (currentSeal !== null && currentSeal >= seal) continue
    const row = { before_span: seal }
    await state
      .as(scope)
      .insertInto('derived_seal')
      .values({ product, region_id: regionId, ...row })
      .onConflict((conflict) => conflict.columns(['region_id', 'product']).doUpdateSet(row))
      .execute()
  }
}

/** Counts the sealed spans of some products that still have to be derived. */
export async function countSealedDirty(
  state: ScopedState,
  scope: Scope,
  regionId: string,
  products: readonly string[],
): Promise<number> {
  const row = await state
    .as(scope)
    .selectFrom('derived_span')
    .innerJoin('derived_seal', (join) =>
      join
        .onRef('derived_seal.region_id', '=', 'derived_span.region_id')
        .onRef('derived_seal.product', '=', 'derived_span.product'),
    )
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .where('derived_span.region_id', '=', regionId)
    .where('derived_span.product', 'in', products)
    .whereRef('derived_span.span', '<', 'derived_seal.before_span')
    .whereRef('derived_span.done', '<', 'derived_span.wanted')
    .executeTakeFirst()
  return Number(row?.count ?? 0)
}

/** Gives up sealed spans that could not be derived. Their stored rows remain unchanged. */
export async function finishSealedSpans(
  state: ScopedState,
  scope: Scope,
  regionId: string,
  products: readonly string[],
): Promise<void> {
  for (const product of products) {
    const seal = await findSeal(state, scope, { product, regionId })
    if (seal === null) continue
    await state
      .as(scope)
      .updateTable('derived_span')
      .set(({ ref }) => ({ done: ref('wanted') }))
      .where('region_id', '=', regionId)
      .where('product', '=', product)
      .where('span', '<', seal)
      .execute()
  }
}
