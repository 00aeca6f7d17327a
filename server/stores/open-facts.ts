import fs from 'node:fs/promises'
import path from 'node:path'
import { openEmbeddedEngine } from './embedded-engine.ts'
import { getFactBackupFolder } from './embedded-sessions.ts'
import { type Facts, createFacts } from './facts.ts'
import { createFactsMaintenance, toFolderTarget, restoreFacts } from './facts-maintenance.ts'
import { type ClickHouseCluster, onCluster } from './cluster-statements.ts'
import { openServerEngine } from './server-engine.ts'
import { type Engine, defaultLimits } from './engine.ts'
import { clickhouseMigrations, refusePreRelease } from './migrations/migrations.ts'

/**
 * Runs the missing migrations and returns their names. ClickHouse has no transactional DDL: statements are
 * repeatable, and a migration is recorded once all of its statements have been applied.
 */
export async function migrateFacts(engine: Engine, migrations = clickhouseMigrations): Promise<string[]> {
  const limits = { ...defaultLimits, seconds: 600 }
  await engine.command(
    `create table if not exists schema_migrations (name String, at DateTime default now()) engine = MergeTree order by name`,
    {},
    limits,
  )
  const appliedNames = (await engine.rows('select name from schema_migrations', {}, limits)).map(
    (row) => (row as { name: string }).name,
  )
  refusePreRelease(appliedNames, clickhouseMigrations)
  const newNames: string[] = []
  for (const migration of migrations.filter(({ name }) => !appliedNames.includes(name))) {
    for (const statement of migration.statements) await engine.command(statement, {}, limits)
    await engine.insert('schema_migrations', ['name'], Buffer.from(`${migration.name}\n`))
    newNames.push(migration.name)
  }
  return newNames
}

const getFactsFolder = (dataDir: string): string => path.join(dataDir, 'facts')

/** Location of the fact store: a ClickHouse server or, if `clickhouseUrl` is null, a data directory. */
interface FactsLocation {
  clickhouseUrl: string | null
  clickhouseCluster?: ClickHouseCluster | null
  dataDir: string
}

function openEngine({ clickhouseUrl, clickhouseCluster, dataDir }: FactsLocation): Engine {
  if (!clickhouseUrl) return openEmbeddedEngine(getFactsFolder(dataDir))
  const engine = openServerEngine(clickhouseUrl, { isSharded: clickhouseCluster?.isSharded ?? false })
  const schema = clickhouseMigrations.flatMap(({ statements }) => statements)
  return clickhouseCluster ? onCluster(engine, clickhouseCluster, schema) : engine
}

/** The fact store with its current schema, and a function that applies the missing migrations. */
export interface UnmigratedFacts {
  facts: Facts
  migrate(migrations?: typeof clickhouseMigrations): Promise<string[]>
}

/** Opens the fact store without changing it. */
export function openUnmigratedFacts(location: FactsLocation): UnmigratedFacts {
  const engine = openEngine(location)
  return { facts: createFacts(engine), migrate: (migrations) => migrateFacts(engine, migrations) }
}

/** Opens and migrates the fact store: a ClickHouse server by URL, or else chDB under the data directory. */
export async function openFacts(location: FactsLocation): Promise<Facts> {
  const { facts, migrate } = openUnmigratedFacts(location)
  await migrate()
  return facts
}

/**
 * Finds the folder in which the embedded fact store writes and reads the files of a backup. A folder and not
 * an archive, because an archive is searched from its start for each of thousands of files: 800 MB took
 * minutes to restore.
 */
export const getFactBackupPath = (dataDir: string, name: string): string =>
  path.join(getFactBackupFolder(getFactsFolder(dataDir)), name)

/**
 * Restores an embedded fact store into a data directory that has none, from folders named by
 * `getFactBackupPath`, which are removed afterward. Returns the rows on disk by table.
 */
export async function restoreEmbeddedFacts(
  dataDir: string,
  files: string,
  baseFiles: string | null,
): Promise<Record<string, number>> {
  const engine = openEmbeddedEngine(getFactsFolder(dataDir), { hasMerges: false })
  try {
    await restoreFacts(engine, {
      target: toFolderTarget(files),
      base: baseFiles === null ? null : toFolderTarget(baseFiles),
    })
    return await createFactsMaintenance(engine).countRows()
  } finally {
    await engine.close()
    await fs.rm(path.dirname(files), { recursive: true, force: true })
  }
}
