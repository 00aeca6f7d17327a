import type { Readable } from 'node:stream'
import { postgresMigrations } from './migrations/migrations.ts'
import { findRowsOfOperator, findRowsOfPerson, type OperatorRegion, type RowsAbout } from './rows-about.ts'

/** Runs SQL; without values the text may have several statements. */
type Execute = (text: string, values?: unknown[]) => Promise<{ rows: unknown[] }>

/** Number of rows by table. */
export type TableRows = Record<string, number>

/** Formats in which the state store is dumped to a file. */
export type StateDumpKind = 'pglite' | 'pg_dump'

/**
 * Status and backup of the state store. It reads names and counts, so it needs no Scope. The only rows it
 * returns are those about a person or an operator, whom the caller must have found within a Scope.
 */
export interface StateMaintenance {
  isEmbedded: boolean
  /** Number of open connections. */
  readonly connections: number
  /** Version of PostgreSQL, such as 18.3. */
  version(): Promise<string>
  /** Names of the applied migrations. */
  migrations(): Promise<string[]>
  /** Names of migrations that are not applied yet. */
  pendingMigrations(): Promise<string[]>
  /** Number of rows by table, without the job queue. */
  countRows(): Promise<TableRows>
  /** Rows of all tables that name a person, at most `limit` of each. */
  rowsOfPerson(person: { id: string; email: string }, limit: number): Promise<RowsAbout[]>
  /** Rows of all tables about an operator in a region, at most `limit` of each. */
  rowsOfOperator(operator: OperatorRegion, limit: number): Promise<RowsAbout[]>
  /** Size on disk, bytes. */
  size(): Promise<number>
  /** Queued runs by job. */
  queuedJobs(): Promise<{ name: string; queued: number }[]>
  /** Runs work that only one server at a time may do, such as migrations. */
  withLock<Result>(work: () => Promise<Result>): Promise<Result>
  readonly dumpKind: StateDumpKind
  /**
   * Passes a consistent copy to `write` and returns its number of rows by table. The copy of an embedded
   * store is a tar archive of its data directory, during which writes wait; that of a server is a dump by
   * pg_dump.
   */
  dump(write: (source: Readable) => Promise<unknown>): Promise<TableRows>
}

const tablesQuery = `select tablename as name from pg_tables where schemaname = 'public' order by tablename`

/** Counts the rows of all tables, without the job queue. */
export async function countTableRows(execute: Execute): Promise<TableRows> {
  const tables = (await execute(tablesQuery)).rows as { name: string }[]
  if (!tables.length) return {}
  const counts = tables.map(
    ({ name }) => `select '${name}' as name, count(*)::int as rows from "${name.replaceAll('"', '""')}"`,
  )
  const { rows } = await execute(counts.join(' union all '))
  return Object.fromEntries(
    (rows as { name: string; rows: number }[])
      .map(({ name, rows: count }) => [name, Number(count)] as const)
      .toSorted(([a], [b]) => (a < b ? -1 : 1)),
  )
}

/** Creates the maintenance of a state store. */
export function createStateMaintenance(
  execute: Execute,
  {
    dump,
    withLock,
    countConnections,
    dumpKind,
  }: Pick<StateMaintenance, 'dump' | 'dumpKind' | 'withLock'> & { countConnections: () => number },
): StateMaintenance {
  const listMigrations = async (): Promise<string[]> => {
    const { rows } = await execute(`select to_regclass('public.schema_migration') is not null as "exists"`)
    if (!(rows[0] as { exists: boolean }).exists) return []
    const appliedRows = (await execute('select name from schema_migration order by name')).rows
    return (appliedRows as { name: string }[]).map(({ name }) => name)
  }
  return {
    isEmbedded: dumpKind === 'pglite',
    get connections() {
      return countConnections()
    },
    version: async () =>
      ((await execute('show server_version')).rows[0] as { server_version: string }).server_version,
    migrations: listMigrations,
    pendingMigrations: async () => {
      const appliedNames = await listMigrations()
      return postgresMigrations.map(({ name }) => name).filter((name) => !appliedNames.includes(name))
    },
    countRows: () => countTableRows(execute),
    rowsOfPerson: (person, limit) => findRowsOfPerson(execute, person, limit),
    rowsOfOperator: (operator, limit) => findRowsOfOperator(execute, operator, limit),
    async size() {
      const { rows } = await execute('select pg_database_size(current_database()) as bytes')
      return Number((rows[0] as { bytes: string }).bytes)
    },
    async queuedJobs() {
      const { rows } = await execute(
        `select name, count(*)::int as queued from pgboss.job where state in ('created', 'retry') group by name`,
      )
      const jobs = rows as { name: string; queued: number }[]
      return jobs.map(({ name, queued }) => ({ name, queued: Number(queued) }))
    },
    dump,
    dumpKind,
    withLock,
  }
}
