import path from 'node:path'
import { openEmbeddedEngine } from './embedded-engine.ts'
import { type Facts, createFacts } from './facts.ts'
import { openServerEngine } from './server-engine.ts'
import { type Engine, defaultLimits } from './engine.ts'
import { clickhouseMigrations, refusePreRelease } from './migrations/migrations.ts'

/**
 * Runs the missing migrations and returns their names. ClickHouse has no transactional DDL: statements are
 * repeatable, and a migration is recorded after all of its statements applied.
 */
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
  const applied: string[] = []
  for (const migration of clickhouseMigrations.filter(({ name }) => !done.includes(name))) {
    for (const statement of migration.statements) await engine.command(statement, {}, limits)
    await engine.insert('schema_migrations', ['name'], Buffer.from(`${migration.name}\n`))
    applied.push(migration.name)
  }
  return applied
}

/** Opens and migrates the fact store: a ClickHouse server by URL, or else chDB under the data directory. */
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
