import { aggregations, SpatialRequest, spatialModes, type TimeBucket } from '#contract/spatial.ts'
import { CubedRows } from '#server/evaluation/cubed-rows.ts'
import { Evaluator } from '#server/evaluation/evaluate.ts'
import { ReadyLayers } from '#server/mobility/cubes/ready-layer.ts'
import { RouteIntersections } from '#server/mobility/trip-routes/intersections/route-intersections.ts'
import { median, timed } from './median.ts'
import type { Bench } from './open-bench.ts'

/**
 * Milliseconds of every map over the neighbourhoods and a year: never asked before, by shape, by hour of the day, by day and by shape within some hours; and
 * asked again.
 */
export async function benchMapModes(
  { app, scope, regionId, neighbourhoods }: Bench,
  start_date: string,
  end_date: string,
  say: (line: string) => void,
) {
  const figures = []
  for (const mode of spatialModes) {
    const evaluator = new Evaluator({
      state: app.state,
      facts: app.facts,
      membership: app.membership,
      intersections: new RouteIntersections(app.state, app.facts),
      cubes: new CubedRows(app.state, app.facts, new ReadyLayers(app.state, app.membership)),
    })
    const question = (hour_filters: [number, number]): SpatialRequest =>
      SpatialRequest.parse({
        mode,
        aggregation: aggregations[mode][0],
        shape_layer_uuid: neighbourhoods.shape_layer_uuid,
        start_date,
        end_date,
        hour_filters,
      })
    const requester = { scope, at: new Date(), signal: new AbortController().signal }
    const ask = (bucket: TimeBucket | null, hours: [number, number] = [0, 23]) =>
      timed(() => evaluator.evaluate(requester, regionId, question(hours), bucket))
    const first_ms = median([await ask(null)])
    const by_hour_ms = median([await ask('hour_of_day')])
    const by_day_ms = median([await ask('day')])
    const some_hours_ms = median([await ask(null, [7, 9])])
    const again = []
    for (let at = 0; at < 7; at++) again.push(await ask(null))
    figures.push({ mode, first_ms, by_hour_ms, by_day_ms, some_hours_ms, again_ms: median(again) })
    say(`maps: ${JSON.stringify(figures.at(-1))}`)
  }
  return figures
}
