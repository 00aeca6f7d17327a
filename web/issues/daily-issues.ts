import type { TFunction } from 'i18next'
import { queryIssuesByShapeAndDay, type IssuesByShapeAndDay } from '#contract/issues.ts'
import { call } from '#web/data/client.ts'
import type { DownloadFormat } from '#web/kit/download-button.tsx'
import { type TableFile, getTableFormats } from '#web/kit/table-file.ts'
import type { IssuesQuestion } from './issues-question.ts'
import type { Measure } from './issues-search.ts'

interface DailyContext {
  t: TFunction
  measure: Measure
  /** Name of the layer in a sentence. */
  layer: string
  /** Names of the shapes by id. */
  names: ReadonlyMap<string, string>
}

/** Creates a file of a measure by day and shape; the last row of a day is for issues outside of all shapes. */
export function createDailyIssuesFile(
  { days, shape_uuids, values, not_in_shape }: IssuesByShapeAndDay,
  { t, measure, layer, names }: DailyContext,
): TableFile {
  const outsideName = t('evaluation:legend.notInShape', { layer })
  return {
    titles: [
      t('evaluation:results.date'),
      t('evaluation:results.shape'),
      t('evaluation:results.value', { unit: t(`issues:measure.${measure}.unit`, { count: 2 }) }),
      t('evaluation:results.shapeId'),
    ],
    rows: days.flatMap((day, dayIndex) => [
      ...shape_uuids.map((id, index) => [day, names.get(id) ?? null, values[dayIndex]?.[index] ?? null, id]),
      [day, outsideName, not_in_shape[dayIndex] ?? null, null],
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

/** Returns formats of the download menu for daily data of issues by shape. */
export const getDailyIssueFormats = ({
  regionId,
  layerId,
  question,
  fileName,
  ...context
}: DailySource): DownloadFormat[] =>
  getTableFormats(context.t, {
    fileName: `${fileName}-by-day`,
    name: context.t('evaluation:results.byDay'),
    load: async () =>
      createDailyIssuesFile(
        await call(queryIssuesByShapeAndDay, {
          params: { region_id: regionId },
          query: { ...question, shape_layer_uuid: layerId, measure: context.measure },
        }),
        context,
      ),
  })
