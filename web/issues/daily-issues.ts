import type { TFunction } from 'i18next'
import { queryIssuesByShapeAndDay, type IssuesByShapeAndDay } from '#contract/issues.ts'
import { call } from '#web/data/client.ts'
import type { DownloadFormat } from '#web/kit/download-button.tsx'
import { type TableFile, tableFormats } from '#web/kit/table-file.ts'
import type { IssuesQuestion } from './issues-question.ts'
import type { Measure } from './issues-search.ts'

interface DailyContext {
  t: TFunction
  measure: Measure
  /** Name of the layer in a sentence. */
  layer: string
  /** Names of the areas by id. */
  names: ReadonlyMap<string, string>
}

/** Creates a file of a measure by day and area; the last row of a day is for issues outside of all areas. */
export function dailyIssuesFile(
  { days, shape_uuids, values, not_in_shape }: IssuesByShapeAndDay,
  { t, measure, layer, names }: DailyContext,
): TableFile {
  const outside = t('evaluation:legend.notInShape', { layer })
  return {
    titles: [
      t('evaluation:results.date'),
      t('evaluation:results.shape'),
      t('evaluation:results.value', { unit: t(`issues:measure.${measure}.unit`, { count: 2 }) }),
      t('evaluation:results.shapeId'),
    ],
    rows: days.flatMap((day, i) => [
      ...shape_uuids.map((id, index) => [day, names.get(id) ?? null, values[i]?.[index] ?? null, id]),
      [day, outside, not_in_shape[i] ?? null, null],
    ]),
  }
}

interface DailySource extends DailyContext {
  regionId: string
  layerId: string
  question: IssuesQuestion
  /** Name of the summary file, without extension. */
  fileName: string
}

/** Returns formats of the download menu for daily data of issues by area. */
export const dailyIssueFormats = ({
  regionId,
  layerId,
  question,
  fileName,
  ...context
}: DailySource): DownloadFormat[] =>
  tableFormats(context.t, {
    fileName: `${fileName}-by-day`,
    name: context.t('evaluation:results.byDay'),
    load: async () =>
      dailyIssuesFile(
        await call(queryIssuesByShapeAndDay, {
          params: { region_id: regionId },
          query: { ...question, shape_layer_uuid: layerId, measure: context.measure },
        }),
        context,
      ),
  })
