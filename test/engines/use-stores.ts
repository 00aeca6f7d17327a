// Opens embedded stores for the tests of a suite: before the first, closed after the last.
// The servers speak the same SQL: only the contracts of the stores (server/stores) run on both.
import { afterAll, beforeAll } from 'vitest'
import { type Facts, createFacts } from '#server/stores/facts.ts'
import { migrateFacts } from '#server/stores/open-facts.ts'
import type { State } from '#server/stores/state.ts'
import { chdb, pglite } from './open-stores.ts'

/** An empty, migrated fact store. */
export function useFacts(opened: (facts: Facts) => void): void {
  let close = async (): Promise<void> => undefined
  beforeAll(async () => {
    const one = await chdb.open()
    close = one.close
    await migrateFacts(one.store)
    opened(createFacts(one.store))
  })
  afterAll(() => close())
}

/** Both stores, empty and migrated. */
export function useStores(opened: (facts: Facts, state: State) => void): void {
  let facts: Facts
  let close = async (): Promise<void> => undefined
  useFacts((one) => void (facts = one))
  beforeAll(async () => {
    const one = await pglite.open()
    close = one.close
    opened(facts, one.store)
  })
  afterAll(() => close())
}
