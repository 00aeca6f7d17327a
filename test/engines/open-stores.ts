// Kinds of stores: always the embedded one, and a server if the environment names one.
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from '@clickhouse/client'
import { Client } from 'pg'
import { openEmbeddedEngine } from '#server/stores/embedded-engine.ts'
import type { Engine } from '#server/stores/engine.ts'
import { openServerEngine } from '#server/stores/server-engine.ts'
import { openState, type State } from '#server/stores/state.ts'
import { createDataDir } from '../new-data-dir.ts'

/** A kind of store. `open` creates an empty one, `close` removes it. */
export interface Kind<Store> {
  name: string
  open: () => Promise<{ store: Store; close: () => Promise<void> }>
}

const { TEST_DATABASE_URL, TEST_CLICKHOUSE_URL } = process.env

/** Creates a temporary folder. */
export function createFolder(): { folder: string; remove: () => void } {
  const folder = mkdtempSync(join(tmpdir(), 'publicway-test-'))
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) }
}

const createDatabaseName = (): string => `t_${randomBytes(6).toString('hex')}`

async function runOnServer(url: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  await client.query(statement).finally(() => client.end())
}

/** Creates an empty database on a PostgreSQL server. */
export async function createDatabase(serverUrl: string): Promise<{ url: string; drop: () => Promise<void> }> {
  const name = createDatabaseName()
  await runOnServer(serverUrl, `create database ${name}`)
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  return { url: url.href, drop: () => runOnServer(serverUrl, `drop database ${name} with (force)`) }
}

export const pglite: Kind<State> = {
  name: 'PGlite',
  async open() {
    const dataDir = createDataDir()
    const store = await openState({ databaseUrl: null, dataDir })
    return { store, close: () => store.close().then(() => rmSync(dataDir, { recursive: true, force: true })) }
  },
}

/** State stores, migrated. */
export const stateKinds: Kind<State>[] = [pglite]

if (TEST_DATABASE_URL)
  stateKinds.push({
    name: 'PostgreSQL',
    async open() {
      const { url, drop } = await createDatabase(TEST_DATABASE_URL)
      const store = await openState({ databaseUrl: url, dataDir: '' })
      return { store, close: () => store.close().then(drop) }
    },
  })

export const chdb: Kind<Engine> = {
  name: 'chDB',
  async open() {
    const { folder, remove } = createFolder()
    const store = openEmbeddedEngine(join(folder, 'facts'))
    return { store, close: () => store.close().then(remove) }
  },
}

/** Fact engines, empty and not migrated. */
export const engineKinds: Kind<Engine>[] = [chdb]

if (TEST_CLICKHOUSE_URL)
  engineKinds.push({
    name: 'ClickHouse',
    async open() {
      const name = createDatabaseName()
      const client = createClient({ url: TEST_CLICKHOUSE_URL })
      await client.command({ query: `create database ${name}` })
      const store = openServerEngine(new URL(`/${name}`, TEST_CLICKHOUSE_URL).href)
      const close = async (): Promise<void> => {
        await store.close()
        await client.command({ query: `drop database ${name}` })
        await client.close()
      }
      return { store, close }
    },
  })
