import { isBasemapLevel, levelsWithoutEvaluation } from '#contract/geography.ts'
import { notInShape } from '#contract/evaluation.ts'
import type { Region } from '#contract/regions.ts'
import type { ReportFilters } from '#contract/report-schedules.ts'
import { SpatialRequest, type SpatialAggregation } from '#contract/spatial.ts'
import type { Evaluator } from '#server/evaluation/evaluate.ts'
import { toFiguresByShape } from '#server/evaluation/results.ts'
import { listLayers } from '#server/geography/layers/find-layer.ts'
import { findLayerGeometries } from '#server/geography/shapes/find-shapes.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { State } from '#server/stores/state.ts'
import type { ReportPeriod } from './due-dates.ts'
import { formatMeasure, unknownText } from './measure-text.ts'
import type { ReportTable } from './report-data.ts'
import type { ReportTexts } from './report-texts.ts'

/** Maximum number of areas in a report. */
const maxAreas = 200
/** Sorts areas without parking events after all others. */
const unknownShare = -1

interface DistrictTableOptions {
  scope: Scope
  region: Region
  period: Pick<ReportPeriod, 'start_date' | 'end_date'>
  filters: ReportFilters
  texts: ReportTexts
  at: Date
}

/**
 * Tabulates the parking events of each area of a layer: their number, the number and share of those over the
 * parking limit, and the mean duration. The layer is that of the filters, by default the primary one.
 * The largest shares come first, events outside of all areas last.
 */
export async function buildDistrictTable(
  { state, evaluator }: { state: State; evaluator: Pick<Evaluator, 'evaluate'> },
  { scope, region, period: { start_date, end_date }, filters, texts, at }: DistrictTableOptions,
): Promise<ReportTable> {
  const { regionId, isMetric } = region
  const { shape_layer_uuid: layerId, parking_limit: limitMinutes } = filters
  const layers = (await listLayers(state, scope, regionId)).filter(
    ({ level, layer_name: name, layer_slug: slug }) =>
      !isBasemapLevel(level) &&
      ![level, name, slug].some((label) => label !== null && levelsWithoutEvaluation.includes(label)),
  )
  const layer = layers.find(({ shape_layer_uuid: id }) => id === layerId) ?? layers[0]
  if (!layer) return { header: texts.district, rows: [[texts.noLayer, '', '', '', '']], groups: 1 }
  const evaluate = async (aggregation: SpatialAggregation, parked_duration: number) =>
    toFiguresByShape(
      await evaluator.evaluate(
        { scope, at, signal: new AbortController().signal },
        {
          regionId,
          request: SpatialRequest.parse({
            operators: filters.operators,
            vehicle_types: filters.vehicle_types,
            days: filters.days,
            hour_filters: filters.hour_filters,
            mode: 'parking',
            aggregation,
            shape_layer_uuid: layer.shape_layer_uuid,
            start_date,
            end_date,
            parked_duration,
          }),
          bucket: null,
        },
      ),
    ).shapes
  const shapes = await findLayerGeometries(state, scope, layer.shape_layer_uuid)
  const eventsByShape = await evaluate('total_parking_events', 0)
  const longEventsByShape = await evaluate('total_parking_events', limitMinutes)
  const meanMinutesByShape = await evaluate('average_parked_duration', 0)
  const format = (key: Parameters<typeof formatMeasure>[0], value: number | null): string =>
    formatMeasure(key, value, isMetric, texts.locale)
  const rows = [
    ...shapes.map(({ shapeId, name }) => ({ id: shapeId, name })),
    { id: notInShape, name: texts.outside },
  ].map(({ id, name }) => {
    const events = eventsByShape[id]?.value ?? 0
    const longEvents = longEventsByShape[id]?.value ?? 0
    const minutes = meanMinutesByShape[id]?.value ?? null
    const share = events > 0 ? longEvents / events : null
    const cells = [
      name,
      format('parking_events', events),
      format('parking_over_limit', longEvents),
      // There is no measure of this share; `active_share` only formats it as a percentage.
      share === null ? unknownText : format('active_share', share),
      format('parked_mean', minutes === null ? null : minutes * 60),
    ]
    return { isOutside: id === notInShape, share: share ?? unknownShare, name, cells }
  })
  return {
    groups: 1,
    header: texts.district,
    rows: rows
      .toSorted(
        (a, b) =>
          Number(a.isOutside) - Number(b.isOutside) || b.share - a.share || a.name.localeCompare(b.name),
      )
      .slice(0, maxAreas)
      .map(({ cells }) => cells),
  }
}
