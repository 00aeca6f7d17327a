import { execFileSync, spawn } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import pg from 'pg'
import type { SumRow } from '#server/evaluation/modes/mode.ts'
import { ALL_SHAPES_ID } from '#server/fleet/cubes/cube-columns.ts'
import { findLayerGeometries } from '#server/geography/shapes/find-shapes.ts'
import { facts, sql } from '#server/stores/sql.ts'
import { findFreePort } from './demo-server.ts'
import type { Bench } from './open-bench.ts'
import { median, type Report, measureMs, measureRuns } from './table.ts'

/** A PostGIS database for comparison. */
export interface Postgis {
  /** Loads the region's trips, runs the same query, and compares times and counts with our engine. */
  compare(name: string, ourSamples: readonly number[], rows: readonly SumRow[]): Promise<void>
  close(): Promise<void>
}

/** Finds the programs of the newest installed PostgreSQL that has PostGIS. */
function findBinaries(): string | null {
  const root = '/usr/lib/postgresql'
  if (!fs.existsSync(root)) return null
  const version = fs
    .readdirSync(root)
    .sort((a, b) => Number(b) - Number(a))
    .find(
      (version) =>
        fs.existsSync(`/usr/share/postgresql/${version}/extension/postgis.control`) &&
        fs.existsSync(path.join(root, version, 'bin', 'initdb')),
    )
  return version ? path.join(root, version, 'bin') : null
}

/** Starts PostgreSQL with PostGIS from Debian's packages. Returns null if they are not installed. */
export async function openPostgis(
  { app, scope, neighborhoods }: Bench,
  report: Report,
): Promise<Postgis | null> {
  const bin = findBinaries()
  if (!bin) {
    report.log('PostGIS is not installed: no comparison')
    return null
  }
  const directory = fs.mkdtempSync(path.join(os.tmpdir(), 'publicway-postgis-'))
  // PostgreSQL does not run as root.
  const asUser =
    process.getuid?.() === 0
      ? {
          uid: Number(execFileSync('id', ['-u', 'postgres'])),
          gid: Number(execFileSync('id', ['-g', 'postgres'])),
        }
      : {}
  if ('uid' in asUser) fs.chownSync(directory, asUser.uid as number, asUser.gid as number)
  execFileSync(path.join(bin, 'initdb'), ['-D', directory, '-A', 'trust', '-U', 'bench'], asUser)
  const port = await findFreePort()
  const server = spawn(
    path.join(bin, 'postgres'),
    [
      '-D',
      directory,
      '-p',
      String(port),
      '-k',
      directory,
      '-c',
      'shared_buffers=2GB',
      '-c',
      'work_mem=256MB',
      '-c',
      'fsync=off',
      '-c',
      'max_wal_size=8GB',
    ],
    { ...asUser, stdio: 'ignore' },
  )
  // An interrupted benchmark leaves neither a server nor a directory behind.
  const removeAll = (): void => {
    server.kill('SIGKILL')
    fs.rmSync(directory, { recursive: true, force: true, maxRetries: 5 })
  }
  process.once('exit', removeAll)
  let client: pg.Client
  for (let attempt = 0; ; attempt++) {
    client = new pg.Client({ host: '127.0.0.1', port, user: 'bench', database: 'postgres' })
    if (
      await client.connect().then(
        () => true,
        () => false,
      )
    )
      break
    if (attempt > 50) throw new Error('PostgreSQL did not start')
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
  await client.query(
    'create extension postgis; create table shapes (number int primary key, geom geometry(MultiPolygon, 4326)); create table trips (local_date date, origin geometry(Point, 4326), destination geometry(Point, 4326))',
  )
  for (const [index, { geometry }] of (
    await findLayerGeometries(app.state, scope, neighborhoods.shape_layer_uuid)
  ).entries())
    await client.query('insert into shapes values ($1, st_multi(st_geomfromgeojson($2)))', [
      index + 1,
      JSON.stringify(geometry),
    ])
  await client.query('create index on shapes using gist (geom); analyze shapes')
  const countByShape = (column: string): string =>
    `select s.number, count(*)::text as n from trips t left join shapes s on st_contains(s.geom, t.${column}) group by s.number`

  const loadTrips = async (): Promise<void> => {
    const batch = 500_000
    await client.query('truncate trips')
    for (let skip = 0; ; skip += batch) {
      const rows = await app.facts.rows<{ line: string }>(
        scope,
        sql`select concat(toString(local_date), ',', toString(start_lon), ',', toString(start_lat), ',', toString(end_lon), ',', toString(end_lat)) as line from ${facts('trips')} order by trip_id limit ${toSqlNumber(skip)}, ${toSqlNumber(batch)}`,
        { limits: { seconds: 300 } },
      )
      if (!rows.length) break
      const file = path.join(directory, 'rows.csv')
      fs.writeFileSync(file, rows.map(({ line }) => line).join('\n') + '\n')
      fs.chmodSync(file, 0o644)
      await client.query(
        `create temp table if not exists raw (d date, a float8, b float8, c float8, e float8); truncate raw; copy raw from '${file}' csv; insert into trips select d, st_setsrid(st_makepoint(a, b), 4326), st_setsrid(st_makepoint(c, e), 4326) from raw`,
      )
    }
    await client.query('analyze trips')
  }
  return {
    async compare(name, ourSamples, rows) {
      report.log('evaluation: loading the same trips into PostGIS')
      report.add(`PostGIS: load of ${name}`, 's', [(await measureMs(loadTrips)) / 1000])
      let origins: { number: number | null; n: string }[] = []
      const times = await measureRuns(3, async () => {
        origins = (await client.query(countByShape('origin'))).rows as typeof origins
        await client.query(countByShape('destination'))
      })
      report.add(`PostGIS: the new query, ${name}`, 'ms', times)
      report.add(`PostGIS: time as a multiple of ours, ${name}`, 'times', [
        median(times) / median(ourSamples),
      ])
      const counts = new Map(origins.map(({ number, n }) => [number ?? 0, Number(n)]))
      const differences = rows
        .filter(({ shape }) => shape !== ALL_SHAPES_ID)
        .map(({ shape, sums }) => Math.abs((sums['orig'] ?? 0) - (counts.get(shape) ?? 0)))
      // Origins exactly on a border count differently: docs/performance.md says why.
      report.add(`PostGIS: difference of counts, sum over shapes, ${name}`, 'trips', [
        differences.reduce((sum, count) => sum + count, 0),
      ])
    },
    async close() {
      await client.end()
      server.kill('SIGINT')
      await new Promise((resolve) => server.once('exit', resolve))
      process.off('exit', removeAll)
      fs.rmSync(directory, { recursive: true, force: true })
    },
  }
}

const toSqlNumber = (value: number) => ({ strings: [String(value)], values: [] })
