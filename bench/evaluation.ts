import { dayNumber, dayFromNumber } from '#contract/period.ts'
import { SpatialRequest } from '#contract/spatial.ts'
import { CubedRows } from '#server/evaluation/cubed-rows.ts'
import { Evaluator } from '#server/evaluation/evaluate.ts'
import { ReadyLayers } from '#server/mobility/cubes/ready-layer.ts'
import { RouteIntersections } from '#server/mobility/trip-routes/intersections/route-intersections.ts'
import { bind, facts, sql } from '#server/stores/sql.ts'
import { storeDemoTrips } from '../demo/store-demo-trips.ts'
import { growTrips } from './grow-trips.ts'
import { storeMapFacts } from './map-facts.ts'
import { benchMapModes } from './map-modes.ts'
import { median, timed } from './median.ts'
import { type Bench, benchSeed } from './open-bench.ts'
import { openPostgis } from './postgis.ts'

const from = '2025-11-01'
const days = 365

/** Largest number of trips that PostGIS is asked about: it takes minutes to load more. */
const mostForPostgis = 10

/** Milliseconds of the trips map's question over the neighbourhoods, whole period: first (index to be loaded), ad hoc (never asked before), warm (asked before). */
export async function benchEvaluation(
  bench: Bench,
  millions: readonly number[],
  say: (line: string) => void,
) {
  const { app, scope, regionId, city, neighbourhoods } = bench
  say('evaluation: making a year of trips')
  const until = dayFromNumber(dayNumber(from) + days)
  await storeDemoTrips(
    app,
    scope,
    { regionId, city, seed: benchSeed, from, until, at: new Date() },
    () => undefined,
  )
  const postgis = await openPostgis(bench, say)
  const figures = []
  try {
    for (const million of [...millions].sort((a, b) => a - b)) {
      say(`evaluation: ${million} million trips`)
      await growTrips(bench, million * 1e6)
      const evaluator = new Evaluator({
        state: app.state,
        facts: app.facts,
        membership: app.membership,
        intersections: new RouteIntersections(app.state, app.facts),
        cubes: new CubedRows(app.state, app.facts, new ReadyLayers(app.state, app.membership)),
      })
      const question = (end: number) =>
        SpatialRequest.parse({
          mode: 'trips',
          aggregation: 'origins',
          shape_layer_uuid: neighbourhoods.shape_layer_uuid,
          start_date: from,
          end_date: dayFromNumber(dayNumber(until) + end),
        })
      const requester = { scope, at: new Date(), signal: new AbortController().signal }
      const ask = (end: number) => evaluator.evaluate(requester, regionId, question(end), null)
      const first = await timed(() => ask(0))
      const adHoc: number[] = []
      // A later last day is another question over the same trips.
      for (let end = 1; end <= 7; end++) adHoc.push(await timed(() => ask(end)))
      const warm: number[] = []
      for (let again = 0; again < 7; again++) warm.push(await timed(() => ask(1)))
      const [stored] = await app.facts.rows<{ n: string }>(
        scope,
        sql`select count() as n from ${facts('trips')} where region_id = ${bind('String', regionId)}`,
      )
      const base = {
        trips: Number(stored?.n),
        shapes: neighbourhoods.shape_count,
        first_ms: median([first]),
        ad_hoc_ms: median(adHoc),
        warm_ms: median(warm),
      }
      say(`evaluation: the other maps over ${million} million`)
      const stored_ms = await timed(() => storeMapFacts(bench))
      say(`evaluation: facts of the other maps and all cubes stored in ${Math.round(stored_ms / 1000)} s`)
      const others = await benchMapModes(bench, from, until, say)
      figures.push({
        ...(postgis && million <= mostForPostgis
          ? { ...base, postgis: await postgis.compare(median(adHoc), (await ask(1)).rows) }
          : base),
        maps: others,
      })
    }
  } finally {
    await postgis?.close()
  }
  return figures
}
