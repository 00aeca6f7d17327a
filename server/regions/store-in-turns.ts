import type { Scope } from '#server/stores/scope.ts'
import type { State, Store } from '#server/stores/state.ts'

/**
 * Stores items in batches, each in a transaction with a lock on the region. `storeBatch` reads rows before it
 * merges and writes them, so concurrent writers of a region would overwrite each other. Returns the sum of
 * what `storeBatch` returns.
 */
export async function storeInTurns<Item>(
  state: State,
  scope: Scope,
  regionId: string,
  items: readonly Item[],
  batchSize: number,
  storeBatch: (store: Store, batch: readonly Item[]) => Promise<number>,
): Promise<number> {
  let sum = 0
  for (let first = 0; first < items.length; first += batchSize)
    sum += await state
      .as(scope)
      .transaction()
      .execute(async (store) => {
        await store
          .selectFrom('region')
          .select('region_id')
          .where('region_id', '=', regionId)
          .forUpdate()
          .execute()
        return storeBatch(store, items.slice(first, first + batchSize))
      })
  return sum
}
