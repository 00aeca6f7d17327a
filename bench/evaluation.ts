import { dayNumber, dayOfNumber } from '#contract/period.ts'
import { SpatialQuestion } from '#contract/evaluation.ts'
import { TripsByShape } from '#server/evaluation/ask-trips-by-shape.ts'
import { bind, facts, sql } from '#server/stores/sql.ts'
import { storeDemoTrips } from '../demo/store-demo-trips.ts'
import { growTrips } from './grow-trips.ts'
import { median, timed } from './median.ts'
import { type Bench, benchSeed } from './open-bench.ts'
import { openPostgis } from './postgis.ts'

const from = '2025-11-01'
const days = 365

/** Largest number of trips that PostGIS is asked about: it takes minutes to load more. */
const mostForPostgis = 10

/** Milliseconds of the trips map's question over the neighbourhoods, whole period: first (index to be loaded), ad hoc (never asked before), warm (asked before). */
export async function benchEvaluation(bench: Bench, millions: readonly number[], say: (line: string) => void) {
  const { app, scope, regionId, city, neighbourhoods } = bench
  say('evaluation: making a year of trips')
  const until = dayOfNumber(dayNumber(from) + days)
  await storeDemoTrips(app, scope, { regionId, city, seed: benchSeed, from, until, at: new Date() }, () => undefined)
  const postgis = await openPostgis(bench, say)
  const figures = []
  try {
    for (const million of [...millions].sort((a, b) => a - b)) {
      say(`evaluation: ${million} million trips`)
      await growTrips(bench, million * 1e6)
      const asker = new TripsByShape(app.state, app.facts, app.membership)
      const question = (end: number) =>
        SpatialQuestion.parse({ region_id: regionId, shape_layer_uuid: neighbourhoods.shape_layer_uuid, start_date: from, end_date: dayOfNumber(dayNumber(until) + end) })
      const signal = new AbortController().signal
      const first = await timed(() => asker.ask(scope, question(0), false, signal))
      const adHoc: number[] = []
      // A later last day is another question over the same trips.
      for (let end = 1; end <= 7; end++) adHoc.push(await timed(() => asker.ask(scope, question(end), false, signal)))
      const warm: number[] = []
      for (let again = 0; again < 7; again++) warm.push(await timed(() => asker.ask(scope, question(1), false, signal)))
      const [stored] = await app.facts.rows<{ n: string }>(scope, sql`select count() as n from ${facts('trips')} where region_id = ${bind('String', regionId)}`)
      const base = { trips: Number(stored?.n), shapes: neighbourhoods.shape_count, first_ms: median([first]), ad_hoc_ms: median(adHoc), warm_ms: median(warm) }
      figures.push(postgis && million <= mostForPostgis ? { ...base, postgis: await postgis.compare(median(adHoc), (await asker.ask(scope, question(1), false, signal)).rows) } : base)
    }
  } finally {
    await postgis?.close()
  }
  return figures
}
