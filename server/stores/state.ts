import path from 'node:path'
import { PGlite, types } from '@electric-sql/pglite'
import { type Dialect, Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { postgresMigrations } from './migrations/postgres/list.ts'
import { refusePreRelease } from './pre-release-data.ts'
import { TableChanges, tablesWritten, trackChanges } from './changes.ts'
import { PGliteDialect, Mutex } from './pglite-dialect.ts'
import type { Scope } from './scope.ts'
import { scopePlugin } from './scope-plugin.ts'
import type { StateTables } from './state-tables.ts'

/** Runs SQL outside of Kysely: the job queue and the identity library bring their own. Without values several statements may come at once. */
export type ExecuteSql = (text: string, values?: unknown[]) => Promise<{ rows: unknown[] }>

/** The state store: no query without a Scope. */
export interface State {
  as(scope: Scope): Kysely<StateTables>
  /** For the identity library, which has its own tables and takes no Scope. */
  library: Kysely<StateTables>
  execute: ExecuteSql
  /** What this process has written. */
  changes: TableChanges
  close(): Promise<void>
}

function createState(dialect: Dialect, run: ExecuteSql, close: () => Promise<void>): State {
  const changes = new TableChanges()
  const unscoped = new Kysely<StateTables>({ dialect: trackChanges(dialect, changes) })
  const execute: ExecuteSql = async (text, values) => {
    const result = await run(text, values)
    tablesWritten(text).forEach((table) => changes.record(table))
    return result
  }
  return {
    as: (scope) => unscoped.withPlugin(scopePlugin(scope)),
    library: unscoped,
    execute,
    changes,
    close: () => unscoped.destroy().then(close),
  }
}

/** bigint as text on both engines: a count may be larger than a double holds. */
const int8TypeId = 20

async function openEmbedded(dataDir: string): Promise<State> {
  const database = await PGlite.create(path.join(dataDir, 'state'), {
    parsers: { [types.INT8]: (text: string) => text },
  })
  const turns = new Mutex()
  const execute: ExecuteSql = async (text, values) => {
    const end = await turns.acquire()
    try {
      if (values?.length) return await database.query(text, values)
      const results = await database.exec(text)
      return { rows: (results.at(-1)?.rows ?? []) as unknown[] }
    } finally {
      end()
    }
  }
  return createState(new PGliteDialect(database, turns), execute, () => database.close())
}

function openServer(url: string): State {
  const pool = new pg.Pool({ connectionString: url, max: 10 })
  pg.types.setTypeParser(int8TypeId, (text) => text)
  // An idle connection that the server drops is replaced at the next query.
  pool.on('error', () => undefined)
  const execute: ExecuteSql = async (text, values) => {
    const result = await pool.query(text, values)
    return { rows: Array.isArray(result) ? ((result as pg.QueryResult[]).at(-1)?.rows ?? []) : result.rows }
  }
  return createState(new PostgresDialect({ pool }), execute, () => Promise.resolve())
}

/** All migrations not yet run, in one transaction; a lock keeps two starting servers apart, and the later one finds them done. */
async function migrate(state: State): Promise<void> {
  const { rows } = await state.execute(`select to_regclass('public.schema_migration') is not null as made`)
  const done = (rows[0] as { made: boolean }).made
    ? (await state.execute('select name from schema_migration')).rows.map(
        (row) => (row as { name: string }).name,
      )
    : []
  refusePreRelease(done, postgresMigrations)
  const fresh = postgresMigrations.filter(({ name }) => !done.includes(name))
  if (!fresh.length) return
  const steps = fresh.map(
    ({ name, sql }) =>
      `do $migration$ begin if not exists (select from schema_migration where name = '${name}') then ${sql} insert into schema_migration (name) values ('${name}'); end if; end $migration$;`,
  )
  await state.execute(
    `begin; select pg_advisory_xact_lock(487048); create table if not exists schema_migration (name text primary key, at timestamptz not null default now()); ${steps.join('\n')} commit;`,
  )
}

/** Opens PostgreSQL: a server by URL, else embedded under the data directory; migrated. */
export async function openState({
  databaseUrl,
  dataDir,
}: {
  databaseUrl: string | null
  dataDir: string
}): Promise<State> {
  const state = databaseUrl ? openServer(databaseUrl) : await openEmbedded(dataDir)
  try {
    await migrate(state)
  } catch (error) {
    await state.close()
    throw error
  }
  return state
}
