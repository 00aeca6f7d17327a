import {
  type CurbMeasure,
  curbMeasureKeys,
  CurbMetricsQuestion,
  type CurbDimension,
  type CurbSource,
} from '#contract/curb-sessions.ts'
import type { LocalDay } from '#contract/period.ts'
import type { MetricsContext, MetricsSources } from './metrics-context.ts'
import { queryCurbMetrics } from './query-curb-metrics.ts'

interface MetricsRequest {
  start_date: LocalDay
  end_date: LocalDay
  source: CurbSource
  curb_zone_id?: string | undefined
}
type Values = Record<CurbMeasure, number | null>

/** Returns the values of all measures by the keys of one dimension. */
async function readMetricsBy(
  sources: MetricsSources,
  context: MetricsContext,
  { curb_zone_id: zone, ...period }: MetricsRequest,
  dimension: CurbDimension,
): Promise<{ key: string; values: Values }[]> {
  const question = CurbMetricsQuestion.parse({
    measures: curbMeasureKeys,
    dimensions: [dimension],
    zones: zone === undefined ? [] : [zone],
    start_date: period.start_date,
    end_date: period.end_date,
    source: period.source,
  })
  const { rows } = (await queryCurbMetrics(sources, context, question)).period
  return rows.map(({ keys, values }) => ({
    key: keys[0] ?? '',
    values: Object.fromEntries(
      curbMeasureKeys.map((measure, index) => [measure, values[index] ?? null]),
    ) as Values,
  }))
}

/** Returns all measures by hour, day, week or month. */
export async function getCurbMetricsByTime(
  sources: MetricsSources,
  context: MetricsContext,
  { time_grain: grain, ...request }: MetricsRequest & { time_grain: CurbDimension },
): Promise<{ items: { time: string; values: Values }[] }> {
  const rows = await readMetricsBy(sources, context, request, grain)
  return { items: rows.map(({ key, values }) => ({ time: key, values })) }
}

/** Returns all measures by curb zone, including zones that have ended since. */
export async function getCurbMetricsByShape(
  sources: MetricsSources,
  context: MetricsContext,
  request: MetricsRequest,
): Promise<{ items: { shape_uuid: string | null; curb_zone_id: string; values: Values }[] }> {
  const rows = await readMetricsBy(sources, context, request, 'zone')
  const zones = rows.length
    ? await sources.state
        .as(context.scope)
        .selectFrom('curb_zone')
        .select(['curb_zone_id', 'shape_uuid'])
        .where('region_id', '=', context.region.regionId)
        .execute()
    : []
  const shapeByZone = new Map(zones.map((zone) => [zone.curb_zone_id, zone.shape_uuid]))
  return {
    items: rows.map(({ key, values }) => ({
      shape_uuid: shapeByZone.get(key) ?? null,
      curb_zone_id: key,
      values,
    })),
  }
}
