import { aggregations, spatialModes } from '#contract/map-names.ts'
import { addDays } from '#contract/period.ts'
import { type SpatialMode, SpatialRequest, type TimeBucket } from '#contract/spatial.ts'
import { CubedRows } from '#server/evaluation/cubed-rows.ts'
import { Evaluator } from '#server/evaluation/evaluate.ts'
import { importedTripColumns } from '#server/fleet/trip-columns.ts'
import { ReadyLayers } from '#server/fleet/cubes/ready-layer.ts'
import { RouteIntersections } from '#server/routes/intersections/route-intersections.ts'
import { bind, facts, identifier, joinSql, type Sql, sql } from '#server/stores/sql.ts'
import { makeTripChunk, startTripChunks, storeDemoTrips } from '../demo/store-demo-trips.ts'
import { storeMapFacts } from './map-facts.ts'
import { type Bench, benchSeed } from './open-bench.ts'
import { openPostgis } from './postgis.ts'
import { type Report, measureMs, measureRuns } from './table.ts'

const from = '2025-11-01'
const days = 365
const until = addDays(from, days)

/** PostGIS needs minutes to load more trips than this. */
const postgisMaxMillions = 10

/** Rows of one insert when trips are copied. */
const copyStep = 2_000_000

/** Measures maps by shape of a year with growing numbers of trips, and compares them with PostGIS. */
export async function benchEvaluation(
  bench: Bench,
  millions: readonly number[],
  report: Report,
): Promise<void> {
  const { app, scope, regionId, city } = bench
  report.log('evaluation: storing a year of trips')
  const chunks = startTripChunks({ regionId, seed: benchSeed, from, until }, async (task) =>
    makeTripChunk(city, task),
  )
  await storeDemoTrips(app, scope, chunks, { at: new Date() })
  const postgis = await openPostgis(bench, report)
  try {
    for (const million of millions) {
      report.log(`evaluation: ${million} million trips`)
      await resizeTrips(bench, million * 1e6)
      const name = `trips map, ${million} million trips`
      // The cubes do not exist yet, so the trips map reads the trips.
      const first: number[] = []
      for (let run = 0; run < 3; run++)
        first.push(await measureMs(() => openMaps(bench)('trips', { end: 0 })))
      report.add(`${name}, first request after a start`, 'ms', first)
      const query = openMaps(bench)
      await query('trips', { end: 0 })
      // A later last day makes another query over the same trips.
      const adHoc = await measureRuns(7, (run) => query('trips', { end: run + 1 }))
      report.add(`${name}, a new query`, 'ms', adHoc)
      report.add(`${name}, a repeated query`, 'ms', await measureRuns(7, () => query('trips', { end: 1 })))
      if (postgis && million <= postgisMaxMillions)
        await postgis.compare(`${million} million trips`, adHoc, (await query('trips', { end: 1 })).rows)
      const seconds = (await measureMs(() => storeMapFacts(bench))) / 1000
      report.add(`facts of the other maps and all cubes stored, ${million} million trips`, 's', [seconds])
      for (const mode of spatialModes)
        await benchMode(bench, mode, `${mode} map, ${million} million facts`, report)
      await benchRate(bench, `trips map, ${million} million facts`, report)
    }
  } finally {
    await postgis?.close()
  }
}

interface Variant {
  /** Days by which the period ends later than the stored year. */
  end: number
  hours?: readonly [number, number]
  bucket?: TimeBucket
}

/** Opens an evaluator without cached results, as after the start of a server. */
function openMaps({ app, scope, regionId, neighborhoods }: Bench) {
  const { state, facts, membership } = app
  const evaluator = new Evaluator({
    state,
    facts,
    membership,
    intersections: new RouteIntersections(state, facts),
    cubes: new CubedRows(state, facts, new ReadyLayers(state, membership)),
  })
  return (mode: SpatialMode, { end, hours = [0, 23], bucket }: Variant) =>
    evaluator.evaluate(
      { scope, at: new Date(), signal: new AbortController().signal },
      {
        regionId,
        request: SpatialRequest.parse({
          mode,
          aggregation: aggregations[mode][0],
          shape_layer_uuid: neighborhoods.shape_layer_uuid,
          start_date: from,
          end_date: addDays(until, end),
          hour_filters: hours,
        }),
        bucket: bucket ?? null,
      },
    )
}

async function benchMode(bench: Bench, mode: SpatialMode, name: string, report: Report): Promise<void> {
  const query = openMaps(bench)
  await query(mode, { end: 0 })
  const variants = {
    'by shape': {},
    'by hour of the day': { bucket: 'hour_of_day' },
    'by day': { bucket: 'day' },
    'some hours': { hours: [7, 9] },
  } as const
  for (const [variant, options] of Object.entries(variants))
    report.add(
      `${name}, ${variant}`,
      'ms',
      await measureRuns(3, (run) => query(mode, { end: run + 1, ...options })),
    )
  report.add(`${name}, repeated`, 'ms', await measureRuns(7, () => query(mode, { end: 1 })))
}

/** Measures evaluations per second with several callers at a time. Their days and hours all differ. */
async function benchRate(bench: Bench, name: string, report: Report): Promise<void> {
  const [callers, queries] = [8, 160]
  const query = openMaps(bench)
  await query('trips', { end: 0 })
  let next = 0
  const caller = async (): Promise<void> => {
    for (let number = next++; number < queries; number = next++) {
      const first = Math.floor(number / 20)
      await query('trips', { end: 1 + (number % 20), hours: [first, first + 12] })
    }
  }
  const ms = await measureMs(() => Promise.all(Array.from({ length: callers }, caller)))
  report.add(`${name}, other days and hours, ${callers} at a time`, 'answers/s', [queries / (ms / 1000)])
}

/** Resizes the region's trips to `target`: removes some, or adds copies moved by up to about 50 meters. */
async function resizeTrips({ app, scope, regionId }: Bench, target: number): Promise<void> {
  const count = async (): Promise<number> => {
    const [row] = await app.facts.rows<{ n: string }>(
      scope,
      sql`select count() as n from ${facts('trips')} where region_id = ${bind('String', regionId)}`,
    )
    return Number(row?.n)
  }
  let stored = await count()
  if (stored > target)
    return app.facts.remove(
      scope,
      'trips',
      sql`trip_id not in (select trip_id from ${facts('trips')} order by trip_id limit ${bind('UInt64', target)})`,
    )
  const changed: Record<string, Sql> = {
    trip_id: sql`generateUUIDv4()`,
    start_lon: sql`start_lon + randUniform(-0.0005, 0.0005, 1)`,
    start_lat: sql`start_lat + randUniform(-0.0005, 0.0005, 2)`,
    end_lon: sql`end_lon + randUniform(-0.0005, 0.0005, 3)`,
    end_lat: sql`end_lat + randUniform(-0.0005, 0.0005, 4)`,
  }
  const columns = joinSql(
    importedTripColumns.map((name) => changed[name] ?? identifier(name)),
    ', ',
  )
  for (; stored < target; stored = await count()) {
    const rows = bind('UInt64', Math.min(copyStep, target - stored))
    await app.facts.add(scope, 'trips', {
      columns: importedTripColumns,
      rows: sql`select ${columns} from (select * from ${facts('trips')} limit ${rows})`,
    })
  }
}
