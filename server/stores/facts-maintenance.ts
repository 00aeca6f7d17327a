import { type Engine, defaultLimits } from './engine.ts'
import { clickhouseMigrations } from './migrations/migrations.ts'

/** Rows of a table; a range, because a table may have changed while it was counted. */
export type RowRange = [min: number, max: number]

/** Status and backup of the fact store. It reads names and counts, no rows, so it needs no Scope. */
export interface FactsMaintenance {
  isEmbedded: boolean
  version(): Promise<string>
  migrations(): Promise<string[]>
  pendingMigrations(): Promise<string[]>
  /** Rows on disk of each table; versions of one row that are not merged yet count each. */
  countRows(): Promise<Record<string, number>>
  /** Size on disk, bytes. */
  size(): Promise<number>
  /** Name of its database. */
  database(): Promise<string>
  /** Writes all tables to a target without what a base has, and returns how many rows of each table it has. */
  backup(to: FactsSource & { bytesPerSecond: number | null }): Promise<Record<string, RowRange>>
  /** Removes all tables of a server. */
  dropTables(): Promise<void>
  /** Reads the tables of a backup of a server into its database, or into one that is removed again. Returns the rows on disk. */
  restore(source: FactsSource, from: string, into?: string): Promise<Record<string, number>>
}

/** A backup of facts, and the one that it is an increment of: SQL of `backup … to` and `restore … from`. */
export interface FactsSource {
  target: string
  base: string | null
}

/** A backup of years of facts takes minutes. */
const limits = { ...defaultLimits, seconds: 6 * 3600 }

interface Part {
  table: string
  name: string
  rows: string
}

/** SQL of a folder of this machine as the target of a backup. */
export const folderTarget = (folder: string): string => `File(${quote(folder)})`

const quote = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`

/**
 * Rows that a backup between two looks at the parts has: at least those of parts that were there at both,
 * at most those of all parts that were seen.
 */
export function rowRanges(
  tables: readonly string[],
  before: readonly Part[],
  after: readonly Part[],
): Record<string, RowRange> {
  const keyOf = ({ table, name }: Part): string => `${table} ${name}`
  const seenAfter = new Set(after.map(keyOf))
  const all = new Map([...before, ...after].map((part) => [keyOf(part), part]))
  const seenBefore = new Set(before.map(keyOf))
  const ranges: Record<string, RowRange> = Object.fromEntries(tables.map((name) => [name, [0, 0]]))
  for (const [key, { table, rows }] of all) {
    const range = (ranges[table] ??= [0, 0])
    if (seenBefore.has(key) && seenAfter.has(key)) range[0] += Number(rows)
    range[1] += Number(rows)
  }
  return ranges
}

const settingsOf = (base: string | null, others: readonly string[] = []): string => {
  const all = [...others, ...(base === null ? [] : [`base_backup = ${base}`])]
  return all.length ? ` settings ${all.join(', ')}` : ''
}

/** Reads all tables of a backup into an empty store. */
export async function restoreFacts(engine: Engine, { target, base }: FactsSource): Promise<void> {
  const [row] = (await engine.rows('select currentDatabase() as name', {}, limits)) as { name: string }[]
  const name = row?.name ?? 'default'
  await engine.rows(`restore database ${name} from ${target}${settingsOf(base)}`, {}, limits)
}

export function createFactsMaintenance(engine: Engine): FactsMaintenance {
  const names = async (text: string): Promise<string[]> =>
    ((await engine.rows(text, {}, limits)) as { name: string }[]).map(({ name }) => name)
  const tables = () =>
    names(
      `select name from system.tables where database = currentDatabase() and engine like '%MergeTree' order by name`,
    )
  const parts = async (): Promise<Part[]> =>
    (await engine.rows(
      'select table, name, rows from system.parts where active and database = currentDatabase()',
      {},
      limits,
    )) as Part[]
  const migrations = async (): Promise<string[]> =>
    (await tables()).includes('schema_migrations')
      ? names('select name from schema_migrations order by name')
      : []
  const ownDictionaries = () =>
    names('select name from system.dictionaries where database = currentDatabase()')
  const database = async (): Promise<string> => {
    const [name = ''] = await names('select currentDatabase() as name')
    return name
  }
  return {
    isEmbedded: engine.isEmbedded === true,
    version: async () => (await names('select version() as name'))[0] ?? '',
    migrations,
    pendingMigrations: async () => {
      const done = await migrations()
      return clickhouseMigrations.map(({ name }) => name).filter((name) => !done.includes(name))
    },
    async countRows() {
      const [known, seen] = [await tables(), await parts()]
      return Object.fromEntries(
        Object.entries(rowRanges(known, seen, seen)).map(([table, [rows]]) => [table, rows]),
      )
    },
    async size() {
      const [row] = (await engine.rows(
        'select sum(bytes_on_disk) as bytes from system.parts where active and database = currentDatabase()',
        {},
        limits,
      )) as { bytes: string }[]
      return Number(row?.bytes ?? 0)
    },
    database,
    async backup({ target, base, bytesPerSecond }) {
      const before = await parts()
      const pace = bytesPerSecond === null ? [] : [`max_backup_bandwidth = ${bytesPerSecond}`]
      await engine.rows(
        `backup database ${await database()} to ${target}${settingsOf(base, pace)}`,
        {},
        limits,
      )
      return rowRanges(await tables(), before, await parts())
    },
    async dropTables() {
      const list = await names(
        `select name from system.tables where database = currentDatabase() order by engine not in ('Dictionary', 'MaterializedView'), name`,
      )
      for (const name of list) await engine.command(`drop table if exists ${name} sync`, {}, limits)
    },
    async restore({ target, base }, from, into) {
      const own = into ?? (await database())
      try {
        if (into !== undefined) await engine.command(`create database ${into} engine = Atomic`, {}, limits)
        // The database is there, and may be of another engine than that of the backup.
        const settings = settingsOf(base, ['create_database = 0', 'allow_different_database_def = 1'])
        const text = `restore database ${from} as ${own} from ${target}${settings}`
        await engine.rows(text, {}, limits)
        // Indexes of layers name the database that they read; they are made again when they are needed.
        const dictionaries = own === from || into !== undefined ? [] : await ownDictionaries()
        for (const name of dictionaries) await engine.command(`drop dictionary if exists ${name}`, {}, limits)
        const rows = (await engine.rows(
          `select name, total_rows as rows from system.tables where database = ${quote(own)} and engine like '%MergeTree'`,
          {},
          limits,
        )) as { name: string; rows: string }[]
        return Object.fromEntries(rows.map(({ name, rows: count }) => [name, Number(count)]))
      } finally {
        if (into !== undefined) await engine.command(`drop database if exists ${into} sync`, {}, limits)
      }
    },
  }
}
