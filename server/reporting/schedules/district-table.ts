import { isBasemapLevel, levelsWithoutEvaluation } from '#contract/geography.ts'
import { notInShape } from '#contract/evaluation.ts'
import type { Region } from '#contract/regions.ts'
import { SpatialRequest, type SpatialAggregation } from '#contract/spatial.ts'
import type { Evaluator } from '#server/evaluation/evaluate.ts'
import { figuresByShape } from '#server/evaluation/present.ts'
import { listLayers } from '#server/geography/layers/find-layer.ts'
import { layerGeometries } from '#server/geography/shapes/find-shapes.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { State } from '#server/stores/state.ts'
import type { ReportPeriod } from './due-dates.ts'
import { measureText, unknownText } from './measure-text.ts'
import type { ReportTexts } from './report-texts.ts'

/** The limit of the report page where none is chosen, minutes. */
const limitMinutes = 24 * 60
/** Areas of a report; those of the largest share over the limit. */
const maxAreas = 200

interface Question {
  scope: Scope
  region: Region
  period: Pick<ReportPeriod, 'start_date' | 'end_date'>
  texts: ReportTexts
  at: Date
}

/** Parking by area of the primary layer, those with the largest share over 24 hours first. */
export async function districtTable(
  { state, evaluator }: { state: State; evaluator: Pick<Evaluator, 'evaluate'> },
  { scope, region, period: { start_date, end_date }, texts, at }: Question,
): Promise<{ header: readonly string[]; rows: string[][]; groups: number }> {
  const { regionId, isMetric } = region
  const layer = (await listLayers(state, scope, regionId)).find(
    ({ level, layer_name: name, layer_slug: slug }) =>
      !isBasemapLevel(level) &&
      ![level, name, slug].some((each) => each !== null && levelsWithoutEvaluation.includes(each)),
  )
  if (!layer) return { header: texts.district, rows: [[texts.noLayer, '', '', '', '']], groups: 1 }
  const ask = async (aggregation: SpatialAggregation, parked_duration: number) =>
    figuresByShape(
      await evaluator.evaluate(
        { scope, at, signal: new AbortController().signal },
        regionId,
        SpatialRequest.parse({
          mode: 'parking',
          aggregation,
          shape_layer_uuid: layer.shape_layer_uuid,
          start_date,
          end_date,
          parked_duration,
        }),
        null,
      ),
    ).shapes
  const [shapes, all, over, mean] = [
    await layerGeometries(state, scope, layer.shape_layer_uuid),
    await ask('total_parking_events', 0),
    await ask('total_parking_events', limitMinutes),
    await ask('average_parked_duration', 0),
  ]
  const text = (key: Parameters<typeof measureText>[0], value: number | null): string =>
    measureText(key, value, isMetric, texts.locale)
  const rows = [
    ...shapes.map(({ shapeId, name }) => ({ id: shapeId, name })),
    { id: notInShape, name: texts.outside },
  ].map(({ id, name }) => {
    const [events, long] = [all[id]?.value ?? 0, over[id]?.value ?? 0]
    const minutes = mean[id]?.value ?? null
    const share = events > 0 ? long / events : null
    const cells = [
      name,
      text('parking_events', events),
      text('parking_over_limit', long),
      share === null ? unknownText : text('active_share', share),
      text('parked_mean', minutes === null ? null : minutes * 60),
    ]
    return { isOutside: id === notInShape, share: share ?? -1, name, cells }
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
