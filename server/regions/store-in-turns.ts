import type { Store } from '#server/stores/state.ts'

interface BatchOptions<Item> {
  batchSize: number
  storeBatch: (transaction: Store, batch: readonly Item[]) => Promise<number>
}

/**
 * Stores items in batches, each in a transaction with a lock on the region. `storeBatch` reads rows before it
 * merges and writes them, so concurrent writers of a region would overwrite each other. Returns the sum of
 * what `storeBatch` returns.
 */
export async function storeInTurns<Item>(
  store: Store,
  regionId: string,
  items: readonly Item[],
  { batchSize, storeBatch }: BatchOptions<Item>,
): Promise<number> {
  let sum = 0
  for (let first = 0; first < items.length; first += batchSize)
    sum += await store.transaction().execute(async (transaction) => {
      await transaction
        .selectFrom('region')
        .select('region_id')
        .where('region_id', '=', regionId)
        .forUpdate()
        .execute()
      return storeBatch(transaction, items.slice(first, first + batchSize))
    })
  return sum
}
