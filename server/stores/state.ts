import type { Blob as NodeBlob } from 'node:buffer'
import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import { PGlite, types } from '@electric-sql/pglite'
import { type Dialect, Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { poolWait } from '#server/metrics/server-metrics.ts'
import { postgresMigrations, refusePreRelease } from './migrations/migrations.ts'
import { TableChanges, findTablesWritten, trackChanges } from './changes.ts'
import {
  countTableRows,
  createStateMaintenance,
  type StateMaintenance,
  type TableRows,
} from './state-maintenance.ts'
import { EmbeddedStatements } from './embedded-statements.ts'
import { dumpDatabase, restoreDatabase } from './postgres-programs.ts'
import { PGliteDialect, Mutex } from './pglite-dialect.ts'
import type { Scope } from './scope.ts'
import { noMessages, openServerMessages, type ServerMessages } from './server-messages.ts'
import { shareChanges } from './share-changes.ts'
import { createScopePlugin } from './scope-plugin.ts'
import type { StateTables } from './state-tables.ts'

/** Runs SQL for the job queue and identity library. Without values, it may be several statements. */
export type ExecuteSql = (text: string, values?: unknown[]) => Promise<{ rows: unknown[] }>

/** The state store within a Scope, or a transaction of it. */
export type Store = Kysely<StateTables>

/** The state store: every query requires a Scope. */
export interface State {
  as(scope: Scope): Store
  /** For the identity library, which has its own tables and no Scope. */
  library: Kysely<StateTables>
  execute: ExecuteSql
  /** Counts writes by table, of this server and, with a delay, of the others. */
  changes: TableChanges
  messages: ServerMessages
  maintenance: StateMaintenance
  close(): Promise<void>
}

/** What differs between an embedded store and a server. `run` does not record writes. */
interface StateParts {
  dialect: Dialect
  run: ExecuteSql
  close: () => Promise<void>
  source: Parameters<typeof createStateMaintenance>[1]
  messages?: ServerMessages
}

function createState({ dialect, run, close, source, messages = noMessages }: StateParts): State {
  const changes = new TableChanges()
  shareChanges(changes, messages)
  const unscoped = new Kysely<StateTables>({ dialect: trackChanges(dialect, changes) })
  const execute: ExecuteSql = async (text, values) => {
    const result = await run(text, values)
    findTablesWritten(text).forEach((table) => changes.record(table))
    return result
  }
  return {
    as: (scope) => unscoped.withPlugin(createScopePlugin(scope)),
    library: unscoped,
    execute,
    changes,
    messages,
    maintenance: createStateMaintenance(run, source),
    async close() {
      await messages.close()
      await unscoped.destroy()
      await close()
    },
  }
}

/** Type id of PostgreSQL's bigint, which is read as text, because a double may not represent it exactly. */
const int8TypeId = 20

/**
 * PostgreSQL's default of 128 MB is zeroed at every start, which costs a second of CPU time and that much
 * memory. Small buffers suffice, because the operating system caches pages too.
 */
const bufferParams = ['-c', 'shared_buffers=16MB']
/** Plans of prepared statements are not reused (see EmbeddedStatements). */
const planParams = ['-c', 'plan_cache_mode=force_custom_plan']
/** Statements after which prepared statements may be invalid. */
const changesSchema = /\b(alter|create|drop)\b/i
/** PostgreSQL's major version in PGlite, which another major version cannot read. */
export const embeddedPostgresMajor = 18

const getStateFolder = (dataDir: string): string => path.join(dataDir, 'state')

/**
 * Restores an embedded state store from a tar archive into a data directory that has none. Returns the number
 * of rows by table. Does not migrate it.
 */
export async function restoreEmbeddedState(dataDir: string, archive: NodeBlob): Promise<TableRows> {
  const database = await PGlite.create(getStateFolder(dataDir), {
    // Node's Blob is the browser's Blob, but their type declarations differ.
    loadDataDir: archive as unknown as Blob,
    startParams: [...PGlite.defaultStartParams, ...bufferParams],
  })
  try {
    return await countTableRows((text) => database.query(text))
  } finally {
    await database.close()
  }
}

/** Replaces the tables of a PostgreSQL server by a dump; returns row counts by table. Does not migrate. */
export async function restoreServerState(url: string, dump: Readable): Promise<TableRows> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    // pg_restore --clean cannot drop the partitions of the job queue.
    await client.query(
      'begin; drop schema if exists pgboss cascade; drop schema if exists public cascade; create schema public; commit',
    )
    await restoreDatabase(url, dump)
    return await countTableRows((text) => client.query(text))
  } finally {
    await client.end()
  }
}

/** Creates an empty database on the server of `url`, calls `work` with its URL, and drops it. */
export async function withTemporaryDatabase<Result>(
  url: string,
  work: (temporaryUrl: string) => Promise<Result>,
): Promise<Result> {
  const name = `publicway_verify_${randomBytes(6).toString('hex')}`
  const run = async (text: string): Promise<void> => {
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    await client.query(text).finally(() => client.end())
  }
  await run(`create database ${name}`)
  try {
    const temporaryUrl = new URL(url)
    temporaryUrl.pathname = `/${name}`
    return await work(temporaryUrl.href)
  } finally {
    await run(`drop database if exists ${name} with (force)`)
  }
}

/** Opens PGlite in the data directory. */
async function openEmbedded(dataDir: string): Promise<State> {
  fs.mkdirSync(dataDir, { recursive: true })
  const database = await PGlite.create(getStateFolder(dataDir), {
    startParams: [...PGlite.defaultStartParams, ...bufferParams, ...planParams],
    parsers: { [types.INT8]: (text: string) => text },
  })
  const statements = new EmbeddedStatements(database)
  const mutex = new Mutex()
  const run: ExecuteSql = async (text, values) => {
    if (values?.length) return statements.run(text, values)
    const results = await database.exec(text)
    if (changesSchema.test(text)) statements.forget()
    return { rows: (results.at(-1)?.rows ?? []) as unknown[] }
  }
  const withLock = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    const release = await mutex.acquire()
    try {
      return await work()
    } finally {
      release()
    }
  }
  return createState({
    dialect: new PGliteDialect(statements, mutex),
    run: (text, values) => withLock(() => run(text, values)),
    close: () => database.close(),
    source: {
      countConnections: () => 1,
      // No lock is needed: only one process can open the data directory.
      withLock: (work) => work(),
      dumpKind: 'pglite',
      async dump(write) {
        const { rows, archive } = await withLock(async () => ({
          rows: await countTableRows(run),
          archive: await database.dumpDataDir('none'),
        }))
        await write(Readable.fromWeb(archive.stream() as unknown as ReadableStream))
        return rows
      },
    },
  })
}

/** Maximum wait for a connection; after this time the server is unreachable or overloaded. */
const connectTimeoutMs = 10_000
/** Number of the advisory lock under which both stores are migrated; arbitrary. */
const startLock = 487049

/** Opens a PostgreSQL server. */
function openServer(url: string): State {
  const pool = new pg.Pool({
    connectionString: url,
    max: 10,
    connectionTimeoutMillis: connectTimeoutMs,
    keepAlive: true,
  })
  pg.types.setTypeParser(int8TypeId, (text) => text)
  // A lost idle connection is replaced at the next query, so its error is ignored.
  pool.on('error', () => undefined)
  // A connection in use reports its loss as an error of the query, but without a listener the process would end.
  pool.on('connect', (client) => void client.on('error', () => undefined))
  const execute: ExecuteSql = async (text, values) => {
    const result = await pool.query(text, values)
    return { rows: Array.isArray(result) ? ((result as pg.QueryResult[]).at(-1)?.rows ?? []) : result.rows }
  }
  const measuredPool = {
    async connect() {
      const beginMs = performance.now()
      const client = await pool.connect()
      poolWait.observe({ store: 'state' }, (performance.now() - beginMs) / 1000)
      return client
    },
    end: () => pool.end(),
  }
  const source = {
    countConnections: () => pool.totalCount,
    dumpKind: 'pg_dump' as const,
    async dump(write: (source: Readable) => Promise<unknown>): Promise<TableRows> {
      const client = await pool.connect()
      try {
        // The dump and the counts use the same snapshot.
        await client.query('begin isolation level repeatable read read only')
        const { rows } = await client.query<{ id: string }>('select pg_export_snapshot() as id')
        const counts = await countTableRows((text) => client.query(text))
        await dumpDatabase(url, rows[0]?.id ?? '', write)
        return counts
      } finally {
        await client.query('rollback').catch(() => undefined)
        client.release()
      }
    },
    async withLock<Result>(work: () => Promise<Result>): Promise<Result> {
      const client = await pool.connect()
      try {
        await client.query(`select pg_advisory_lock(${startLock})`)
        return await work()
      } finally {
        await client.query(`select pg_advisory_unlock(${startLock})`).catch(() => undefined)
        client.release()
      }
    },
  }
  const dialect = new PostgresDialect({ pool: measuredPool })
  return createState({
    dialect,
    run: execute,
    close: () => Promise.resolve(),
    source,
    messages: openServerMessages(url),
  })
}

/** Number of the advisory lock of the migrating transaction; arbitrary. */
const migrationLock = 487048

/** Runs the missing migrations in one transaction. An advisory lock serializes servers that start at once. */
export async function migrateState(
  state: Pick<State, 'execute'>,
  migrations = postgresMigrations,
): Promise<void> {
  const { rows } = await state.execute(
    `select to_regclass('public.schema_migration') is not null as "exists"`,
  )
  const appliedNames = (rows[0] as { exists: boolean }).exists
    ? (await state.execute('select name from schema_migration')).rows.map(
        (row) => (row as { name: string }).name,
      )
    : []
  refusePreRelease(appliedNames, postgresMigrations)
  const missingMigrations = migrations.filter(({ name }) => !appliedNames.includes(name))
  if (!missingMigrations.length) return
  const steps = missingMigrations.map(
    ({ name, sql }) =>
      `do $migration$ begin if not exists (select from schema_migration where name = '${name}') then ${sql} insert into schema_migration (name) values ('${name}'); end if; end $migration$;`,
  )
  await state.execute(
    `begin; select pg_advisory_xact_lock(${migrationLock}); create table if not exists schema_migration (name text primary key, at timestamptz not null default now()); ${steps.join('\n')} commit;`,
  )
}

/** Location of the state store: a PostgreSQL server or, if `databaseUrl` is null, a data directory. */
interface StateLocation {
  databaseUrl: string | null
  dataDir: string
}

/** Opens the state store without migrating it. */
export const openUnmigratedState = async ({ databaseUrl, dataDir }: StateLocation): Promise<State> =>
  databaseUrl ? openServer(databaseUrl) : openEmbedded(dataDir)

/** Opens and migrates the state store: a PostgreSQL server by URL, or PGlite in the data directory. */
export async function openState({ databaseUrl, dataDir }: StateLocation): Promise<State> {
  const state = await openUnmigratedState({ databaseUrl, dataDir })
  try {
    await migrateState(state)
  } catch (error) {
    await state.close()
    throw error
  }
  return state
}
