import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { Session } from 'chdb'
import { clickhouseMigrations, postgresMigrations } from '#server/stores/migrations/migrations.ts'
import { openUnmigratedFacts } from '#server/stores/open-facts.ts'
import { migrateState, openUnmigratedState } from '#server/stores/state.ts'

/** The data of a small city as a release stored it: its migrations, and the rows of both stores. */
export interface ReleaseData {
  app_version: string
  state: { migrations: LandedMigration[]; tables: Record<string, object[]> }
  /** Rows in tab-separated values. */
  facts: { migrations: LandedMigration[]; tables: Record<string, { columns: string[]; rows: string }> }
  secret_key: string
  /** What the release answered. */
  answers: unknown
}

/** A migration and the hash of its text when the release was made. */
interface LandedMigration {
  name: string
  sha256: string
}

const hashText = (text: string): string => createHash('sha256').update(text).digest('hex')

/** Hashes of the present migrations, which never change once they have landed. */
export const presentMigrations = (): { state: LandedMigration[]; facts: LandedMigration[] } => ({
  state: postgresMigrations.map(({ name, sql }) => ({ name, sha256: hashText(sql) })),
  facts: clickhouseMigrations.map(({ name, statements }) => ({
    name,
    sha256: hashText(statements.join('\n')),
  })),
})

const tablesOfState = `select c.table_name as name, array_to_string(array_agg(c.column_name order by c.ordinal_position), ',') as columns
  from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
  where c.table_schema = 'public' and t.table_type = 'BASE TABLE' and c.is_generated = 'NEVER' and c.table_name != 'schema_migration'
  group by c.table_name order by c.table_name`

/** Statements that let each sequence go on after the largest stored value. */
const sequences = `select format('select setval(%L, (select coalesce(max(%I), 0) + 1 from %I), false)', pg_get_serial_sequence(quote_ident(table_name), column_name), column_name, table_name) as text
  from information_schema.columns
  where table_schema = 'public' and pg_get_serial_sequence(quote_ident(table_name), column_name) is not null`

/** Tables of facts with the columns that are stored. */
const tablesWithColumns = `select table as name, groupArray(column) as columns from (
    select table, name as column from system.columns where database = currentDatabase() and default_kind in ('', 'DEFAULT') order by table, position
  ) where table in (select name from system.tables where database = currentDatabase() and engine like '%MergeTree' and name != 'schema_migrations')
  group by table order by table`

/** Reads both stores of a data directory that nobody has open. */
export async function readReleaseData(
  dataDir: string,
  responses: unknown,
  appVersion: string,
): Promise<ReleaseData> {
  const migrations = presentMigrations()
  const state = await openUnmigratedState({ databaseUrl: null, dataDir })
  const tables: Record<string, object[]> = {}
  for (const { name } of (await state.execute(tablesOfState)).rows as { name: string }[]) {
    const { rows } = await state.execute(`select to_jsonb(t) as row from "${name}" t`)
    if (rows.length) tables[name] = (rows as { row: object }[]).map(({ row }) => row)
  }
  await state.close()
  const session = new Session(path.join(dataDir, 'facts'))
  const factTables: ReleaseData['facts']['tables'] = {}
  const { data } = JSON.parse(session.query(tablesWithColumns, 'JSON')) as {
    data: { name: string; columns: string[] }[]
  }
  for (const { name, columns } of data) {
    const rows = session.query(`select ${columns.join(', ')} from ${name}`, 'TSV')
    if (rows) factTables[name] = { columns, rows }
  }
  session.close()
  return {
    app_version: appVersion,
    state: { migrations: migrations.state, tables },
    facts: { migrations: migrations.facts, tables: factTables },
    secret_key: fs.readFileSync(path.join(dataDir, 'secret.key'), 'utf8'),
    answers: responses,
  }
}

/** Makes a data directory as the release left it: its migrations only, then its rows. */
export async function writeReleaseData(release: ReleaseData, dataDir: string): Promise<void> {
  fs.mkdirSync(dataDir, { recursive: true })
  fs.writeFileSync(path.join(dataDir, 'secret.key'), release.secret_key, { mode: 0o600 })
  const sortAsLanded = <Each extends { name: string }>(
    all: readonly Each[],
    names: LandedMigration[],
  ): Each[] => all.filter(({ name }) => names.some((known) => known.name === name))
  const state = await openUnmigratedState({ databaseUrl: null, dataDir })
  await migrateState(state, sortAsLanded(postgresMigrations, release.state.migrations))
  // Rows are in any order, so that references are not checked meanwhile.
  await state.execute('set session_replication_role = replica')
  for (const { name, columns } of (await state.execute(tablesOfState)).rows as {
    name: string
    columns: string
  }[]) {
    const quoted = columns
      .split(',')
      .map((column) => `"${column}"`)
      .join(', ')
    await state.execute(`delete from "${name}"`)
    await state.execute(
      `insert into "${name}" (${quoted}) overriding system value select ${quoted} from jsonb_populate_recordset(null::"${name}", $1::jsonb)`,
      [JSON.stringify(release.state.tables[name] ?? [])],
    )
  }
  for (const { text } of (await state.execute(sequences)).rows as { text: string }[])
    await state.execute(text)
  await state.close()
  const { facts, migrate } = openUnmigratedFacts({ clickhouseUrl: null, dataDir })
  await migrate(sortAsLanded(clickhouseMigrations, release.facts.migrations))
  await facts.close()
  const session = new Session(path.join(dataDir, 'facts'))
  const views = JSON.parse(
    session.query(
      `select name from system.tables where database = currentDatabase() and engine = 'MaterializedView'`,
      'JSON',
    ),
  ) as { data: { name: string }[] }
  // What the views wrote is among the rows.
  for (const { name } of views.data) session.query(`detach table ${name}`)
  for (const [name, { columns, rows }] of Object.entries(release.facts.tables)) {
    const file = path.join(dataDir, 'rows.tsv')
    fs.writeFileSync(file, rows)
    session.query(
      `insert into ${name} (${columns.join(', ')}) select * from file('${file}', 'TSV') settings max_partitions_per_insert_block=0`,
    )
    fs.rmSync(file)
  }
  for (const { name } of views.data) session.query(`attach table ${name}`)
  session.close()
}

export const packRelease = (release: ReleaseData): Buffer => gzipSync(JSON.stringify(release), { level: 9 })
export const unpackRelease = (file: string): ReleaseData =>
  JSON.parse(gunzipSync(fs.readFileSync(file)).toString()) as ReleaseData
