import { type Engine, defaultLimits } from './engine.ts'
import { clickhouseMigrations } from './migrations/migrations.ts'

/** Number of rows of a table, as a range because the table may have changed while it was counted. */
export type RowRange = [min: number, max: number]

/** Status and backup of the fact store. It reads names and counts, no rows, so it needs no Scope. */
export interface FactsMaintenance {
  isEmbedded: boolean
  version(): Promise<string>
  migrations(): Promise<string[]>
  pendingMigrations(): Promise<string[]>
  /** Rows on disk by table, including older versions that are not merged away yet. */
  countRows(): Promise<Record<string, number>>
  /** Size on disk, bytes. */
  size(): Promise<number>
  /** Name of the database. */
  database(): Promise<string>
  /** Backs up all tables, without the parts that `base` has, and returns the number of rows by table. */
  backup(target: FactsSource & { bytesPerSecond: number | null }): Promise<Record<string, RowRange>>
  /** Drops all tables of a server. */
  dropTables(): Promise<void>
  /**
   * Restores the database `from` of a backup into the current one, or into a temporary database `into`, which
   * is dropped afterward. Returns the rows on disk by table.
   */
  restore(source: FactsSource, from: string, into?: string): Promise<Record<string, number>>
}

/** A backup and, if it is incremental, its base, as SQL for `backup … to` and `restore … from`. */
export interface FactsSource {
  target: string
  base: string | null
}

/** Generous, because a backup of years of facts takes minutes. */
const limits = { ...defaultLimits, seconds: 6 * 3600 }

interface StoredPart {
  table: string
  name: string
  rows: string
}

/** Returns a folder of this machine as the target of a backup, as SQL. */
export const toFolderTarget = (folder: string): string => `File(${quote(folder)})`

const quote = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`

/**
 * Computes the possible number of rows in a backup, from lists of the parts before and after it. It contains
 * at least the parts in both lists, at most those in either.
 */
export function computeRowRanges(
  tables: readonly string[],
  before: readonly StoredPart[],
  after: readonly StoredPart[],
): Record<string, RowRange> {
  const toKey = ({ table, name }: StoredPart): string => `${table} ${name}`
  const keysBefore = new Set(before.map(toKey))
  const keysAfter = new Set(after.map(toKey))
  const partsByKey = new Map([...before, ...after].map((part) => [toKey(part), part]))
  const ranges: Record<string, RowRange> = Object.fromEntries(tables.map((name) => [name, [0, 0]]))
  for (const [key, { table, rows }] of partsByKey) {
    const [min, max] = ranges[table] ?? [0, 0]
    const isInBoth = keysBefore.has(key) && keysAfter.has(key)
    ranges[table] = [isInBoth ? min + Number(rows) : min, max + Number(rows)]
  }
  return ranges
}

const formatSettings = (base: string | null, others: readonly string[] = []): string => {
  const settings = [...others, ...(base === null ? [] : [`base_backup = ${base}`])]
  return settings.length ? ` settings ${settings.join(', ')}` : ''
}

/** Restores all tables of a backup into an empty store. */
export async function restoreFacts(engine: Engine, { target, base }: FactsSource): Promise<void> {
  const [row] = (await engine.rows('select currentDatabase() as name', {}, limits)) as { name: string }[]
  const name = row?.name ?? 'default'
  await engine.rows(`restore database ${name} from ${target}${formatSettings(base)}`, {}, limits)
}

/** Creates the maintenance of a fact store. */
export function createFactsMaintenance(engine: Engine): FactsMaintenance {
  const listNames = async (text: string): Promise<string[]> =>
    ((await engine.rows(text, {}, limits)) as { name: string }[]).map(({ name }) => name)
  const listTables = () =>
    listNames(
      `select name from system.tables where database = currentDatabase() and engine like '%MergeTree' order by name`,
    )
  const listParts = async (): Promise<StoredPart[]> =>
    (await engine.rows(
      'select table, name, rows from system.parts where active and database = currentDatabase()',
      {},
      limits,
    )) as StoredPart[]
  const listMigrations = async (): Promise<string[]> =>
    (await listTables()).includes('schema_migrations')
      ? listNames('select name from schema_migrations order by name')
      : []
  const listDictionaries = () =>
    listNames('select name from system.dictionaries where database = currentDatabase()')
  const readDatabase = async (): Promise<string> => {
    const [name = ''] = await listNames('select currentDatabase() as name')
    return name
  }
  return {
    isEmbedded: engine.isEmbedded === true,
    version: async () => (await listNames('select version() as name'))[0] ?? '',
    migrations: listMigrations,
    pendingMigrations: async () => {
      const applied = await listMigrations()
      return clickhouseMigrations.map(({ name }) => name).filter((name) => !applied.includes(name))
    },
    async countRows() {
      const tableNames = await listTables()
      const activeParts = await listParts()
      const ranges = computeRowRanges(tableNames, activeParts, activeParts)
      return Object.fromEntries(Object.entries(ranges).map(([table, [rows]]) => [table, rows]))
    },
    async size() {
      const [row] = (await engine.rows(
        'select sum(bytes_on_disk) as bytes from system.parts where active and database = currentDatabase()',
        {},
        limits,
      )) as { bytes: string }[]
      return Number(row?.bytes ?? 0)
    },
    database: readDatabase,
    async backup({ target, base, bytesPerSecond }) {
      const partsBefore = await listParts()
      const bandwidth = bytesPerSecond === null ? [] : [`max_backup_bandwidth = ${bytesPerSecond}`]
      await engine.rows(
        `backup database ${await readDatabase()} to ${target}${formatSettings(base, bandwidth)}`,
        {},
        limits,
      )
      return computeRowRanges(await listTables(), partsBefore, await listParts())
    },
    async dropTables() {
      const tableNames = await listNames(
        `select name from system.tables where database = currentDatabase() order by engine not in ('Dictionary', 'MaterializedView'), name`,
      )
      for (const name of tableNames) await engine.command(`drop table if exists ${name} sync`, {}, limits)
    },
    async restore({ target, base }, from, into) {
      const targetDatabase = into ?? (await readDatabase())
      try {
        if (into !== undefined) await engine.command(`create database ${into} engine = Atomic`, {}, limits)
        // The database exists already, possibly with another engine than the one in the backup.
        const settings = formatSettings(base, ['create_database = 0', 'allow_different_database_def = 1'])
        const text = `restore database ${from} as ${targetDatabase} from ${target}${settings}`
        await engine.rows(text, {}, limits)
        // Dictionaries of layer indexes name the database that they read, so they are invalid in one with
        // another name. They are created again on demand.
        const dictionaries = targetDatabase === from || into !== undefined ? [] : await listDictionaries()
        for (const name of dictionaries) await engine.command(`drop dictionary if exists ${name}`, {}, limits)
        const rows = (await engine.rows(
          `select name, total_rows as rows from system.tables where database = ${quote(targetDatabase)} and engine like '%MergeTree'`,
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
