// Opens embedded stores for a suite. Only tests of server/stores run on all kinds, because all execute the same SQL.
import fs from 'node:fs'
import { afterAll, beforeAll } from 'vitest'
import type { Facts } from '#server/stores/facts.ts'
import { openFacts } from '#server/stores/open-facts.ts'
import { openState, type State } from '#server/stores/state.ts'
import { createDataDir } from '../new-data-dir.ts'

/** Opens an empty, migrated fact store before all tests, and removes it after them. */
export function useFacts(opened: (facts: Facts) => void): void {
  useFolder(async (dataDir) => {
    const facts = await openFacts({ clickhouseUrl: null, dataDir })
    opened(facts)
    return () => facts.close()
  })
}

/** Opens both stores, empty and migrated, before all tests, and removes them after them. */
export function useStores(opened: (facts: Facts, state: State) => void): void {
  useFolder(async (dataDir) => {
    const [facts, state] = await Promise.all([
      openFacts({ clickhouseUrl: null, dataDir }),
      openState({ databaseUrl: null, dataDir }),
    ])
    opened(facts, state)
    return () => facts.close().then(() => state.close())
  })
}

/** @param open opens the stores in the folder and returns a function that closes them */
function useFolder(open: (dataDir: string) => Promise<() => Promise<void>>): void {
  let close = async (): Promise<void> => undefined
  let dataDir = ''
  beforeAll(async () => {
    dataDir = createDataDir()
    close = await open(dataDir)
  })
  afterAll(async () => {
    await close()
    fs.rmSync(dataDir, { recursive: true, force: true })
  })
}
