import {
  type CurbMeasure,
  curbMeasureKeys,
  CurbMetricsQuestion,
  type CurbDimension,
  type CurbSource,
} from '#contract/curb-sessions.ts'
import type { LocalDay } from '#contract/period.ts'
import type { Region } from '#contract/regions.ts'
import type { Facts } from '#server/stores/facts.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { State } from '#server/stores/state.ts'
import { queryCurbMetrics } from './query-curb-metrics.ts'

interface Sources {
  state: State
  facts: Facts
}
interface Asking {
  scope: Scope
  region: Region
  at: Date
  signal: AbortSignal
}
interface MetricsRequest {
  start_date: LocalDay
  end_date: LocalDay
  source: CurbSource
  curb_zone_id?: string | undefined
}
type Values = Record<CurbMeasure, number | null>

/** All measures by the values of one dimension. */
async function metricsBy(
  sources: Sources,
  asking: Asking,
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
  const { rows } = (await queryCurbMetrics(sources, asking, question)).period
  return rows.map(({ keys, values }) => ({
    key: keys[0] ?? '',
    values: Object.fromEntries(curbMeasureKeys.map((measure, index) => [measure, values[index] ?? null])) as Values,
  }))
}

export async function curbMetricsByTime(
  sources: Sources,
  asking: Asking,
  { time_grain: grain, ...request }: MetricsRequest & { time_grain: CurbDimension },
): Promise<{ items: { time: string; values: Values }[] }> {
  const rows = await metricsBy(sources, asking, request, grain)
  return { items: rows.map(({ key, values }) => ({ time: key, values })) }
}

/** By curb zone, also zones that have ended since. */
export async function curbMetricsByShape(
  sources: Sources,
  asking: Asking,
  request: MetricsRequest,
): Promise<{ items: { shape_uuid: string | null; curb_zone_id: string; values: Values }[] }> {
  const rows = await metricsBy(sources, asking, request, 'zone')
  const zones = rows.length
    ? await sources.state
        .as(asking.scope)
        .selectFrom('curb_zone')
        .select(['curb_zone_id', 'shape_uuid'])
        .where('region_id', '=', asking.region.regionId)
        .execute()
    : []
  const shapeOf = new Map(zones.map((zone) => [zone.curb_zone_id, zone.shape_uuid]))
  return {
    items: rows.map(({ key, values }) => ({
      shape_uuid: shapeOf.get(key) ?? null,
      curb_zone_id: key,
      values,
    })),
  }
}
