// Opens stores for the tests of a suite: before the first, closed after the last.
import { afterAll, beforeAll } from 'vitest'
import type { Engine } from '#server/stores/engine.ts'
import { type Facts, createFacts } from '#server/stores/facts.ts'
import { migrateFacts } from '#server/stores/open-facts.ts'
import type { State } from '#server/stores/state.ts'
import { engineKinds, type Kind, stateKinds } from './open-stores.ts'

/** An empty, migrated fact store of a kind. */
export function useFacts(kind: Kind<Engine>, opened: (facts: Facts) => void): void {
  let close = async (): Promise<void> => undefined
  beforeAll(async () => {
    const one = await kind.open()
    close = one.close
    await migrateFacts(one.store)
    opened(createFacts(one.store))
  })
  afterAll(() => close())
}

/** Kinds of both stores in pairs: the embedded ones, and the servers where the environment names both. */
export const pairedKinds = engineKinds.flatMap((engine, at) =>
  stateKinds.slice(at, at + 1).map((state) => ({ name: `${engine.name} and ${state.name}`, engine, state })),
)

/** Both stores, empty and migrated. */
export function useStores(
  { engine, state }: { engine: Kind<Engine>; state: Kind<State> },
  opened: (facts: Facts, state: State) => void,
): void {
  let facts: Facts
  let close = async (): Promise<void> => undefined
  useFacts(engine, (one) => void (facts = one))
  beforeAll(async () => {
    const one = await state.open()
    close = one.close
    opened(facts, one.store)
  })
  afterAll(() => close())
}
