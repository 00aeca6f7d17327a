import path from 'node:path'
import { openEmbeddedEngine } from './embedded-engine.ts'
import { type Facts, createFacts } from './facts.ts'
import { openServerEngine } from './server-engine.ts'
import { type Engine, defaultLimits } from './engine.ts'
import { clickhouseMigrations } from './migrations/clickhouse/list.ts'
import { refusePreRelease } from './pre-release-data.ts'

/** Brings the fact store forward. ClickHouse has no transactions over DDL: every statement is repeatable, and a migration is marked when all of it ran. */
export async function migrateFacts(engine: Engine): Promise<string[]> {
  const limits = { ...defaultLimits, seconds: 600 }
  await engine.command(
    `create table if not exists schema_migrations (name String, at DateTime default now()) engine = MergeTree order by name`,
    {},
    limits,
  )
  const done = (await engine.rows('select name from schema_migrations', {}, limits)).map(
    (row) => (row as { name: string }).name,
  )
  refusePreRelease(done, clickhouseMigrations)
  const ran: string[] = []
  for (const migration of clickhouseMigrations.filter(({ name }) => !done.includes(name))) {
    for (const statement of migration.statements) await engine.command(statement, {}, limits)
    await engine.insert('schema_migrations', ['name'], Buffer.from(`${migration.name}\n`))
    ran.push(migration.name)
  }
  return ran
}

/** Opens ClickHouse: a server by URL, else in this process under the data directory; migrated. */
export async function openFacts({
  clickhouseUrl,
  dataDir,
}: {
  clickhouseUrl: string | null
  dataDir: string
}): Promise<Facts> {
  const engine = clickhouseUrl
    ? openServerEngine(clickhouseUrl)
    : openEmbeddedEngine(path.join(dataDir, 'facts'))
  await migrateFacts(engine)
  return createFacts(engine)
}
