// If the PostgreSQL server becomes unreachable, open transactions fail but the process continues.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemScope } from '#server/identity/scope.ts'
import { openState, type State } from '#server/stores/state.ts'
import { isStoreUnreachable } from '#server/stores/store-unreachable.ts'
import { openTcpProxy, type TcpProxy } from '../tcp-proxy.ts'
import { createDatabase } from './open-stores.ts'

const { TEST_DATABASE_URL = '' } = process.env
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

describe.skipIf(!TEST_DATABASE_URL)('PostgreSQL behind a link (skipped without TEST_DATABASE_URL)', () => {
  let state: State
  let link: TcpProxy
  let drop: () => Promise<void>
  beforeAll(async () => {
    const database = await createDatabase(TEST_DATABASE_URL)
    drop = database.drop
    const url = new URL(database.url)
    link = await openTcpProxy(url.hostname, Number(url.port))
    url.hostname = '127.0.0.1'
    url.port = String(link.port)
    state = await openState({ databaseUrl: url.href, dataDir: '' })
  })
  afterAll(async () => {
    await state?.close()
    await link?.close()
    await drop?.()
  })

  it('fails transactions that are open when the connection is lost, and works again afterward', async () => {
    const listRegions = () => state.as(systemScope).selectFrom('region').select('region_id').execute()
    const uncaughtErrors: unknown[] = []
    const recordError = (error: unknown): void => void uncaughtErrors.push(error)
    process.on('uncaughtException', recordError)
    try {
      const openTransactions = Array.from({ length: 3 }, () =>
        state
          .as(systemScope)
          .transaction()
          .execute(async (store) => {
            await store.selectFrom('region').select('region_id').execute()
            // Between two statements no query waits for the connection.
            await pause(500)
            await store.selectFrom('region').select('region_id').execute()
          })
          .then(
            () => null,
            (error: unknown) => error,
          ),
      )
      await pause(250)
      link.cut()
      const errors = await Promise.all(openTransactions)
      expect(errors.every((error) => error instanceof Error)).toBe(true)
      expect(await listRegions().catch((error: unknown) => isStoreUnreachable(error))).toBe(true)
      link.restore()
      await expect.poll(() => listRegions().catch(() => null), { timeout: 20_000 }).toEqual([])
      expect(uncaughtErrors).toEqual([])
    } finally {
      process.off('uncaughtException', recordError)
    }
  })
})
