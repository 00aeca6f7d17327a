import type { TFunction } from 'i18next'
import type Papa from 'papaparse'
import { notInShape } from '#contract/evaluation.ts'
import { listOperators, operatorName, type Operator } from '#contract/operators.ts'
import type { Layer } from '#contract/geography.ts'
import type { Region } from '#contract/regions.ts'
import { downloadSpatialByDay, type SpatialUnit } from '#contract/spatial.ts'
import { call } from '#web/data/client.ts'
import { formatPeriod, type Period } from '#web/filters/period.ts'
import type { DownloadFormat } from '#web/kit/download-button.tsx'
import { type TableFile, getTableFormats } from '#web/kit/table-file.ts'
import type { CellValue } from '#web/kit/table/table-column.ts'
import { layerInSentence } from '#web/map-page/layer-options.ts'
import type { MapMode, MapQuestion } from '#web/map-page/by-shape/map-mode.ts'
import { readCounts, readValue } from '#web/map-page/by-shape/read-evaluation.ts'
import { operatorOfCount } from '#web/map-page/by-shape/result-columns.ts'

/** The server's CSV of one period; `period` is its name if there are two. */
interface DailyPart {
  period: string | null
  csv: string
}

interface DailyContext {
  t: TFunction
  mode: MapMode
  /** Unit of the value. */
  unitText: string
  /** Name of the layer in a sentence. */
  layer: string
  isMetric: boolean
  operators: readonly Pick<Operator, 'slug' | 'name'>[]
  parse: typeof Papa.parse
}

/** The server's columns before the counts. */
const fixedColumns = ['date', 'shape_uuid', 'shape_name', 'value', 'unit', 'n'] as const
/** Characters that are parsed at a time, because the cells of a large file may not fit into memory at once. */
const sliceLength = 1_000_000
/** The line break before a row, which starts with its day; names of shapes may contain line breaks. */
const rowBreak = /\n(?=\d{4}-\d\d-\d\d,)/g

function* readLines(csv: string, parse: typeof Papa.parse): Generator<string[]> {
  for (let start = 0; start < csv.length;) {
    rowBreak.lastIndex = start + sliceLength
    const end = rowBreak.exec(csv)?.index ?? csv.length
    yield* parse<string[]>(csv.slice(start, end).trim()).data
    start = end + 1
  }
}

/** Daily data with the titles, units and names of the screen; with a comparison, one period after the other. */
export function dailyFile(
  parts: readonly DailyPart[],
  { t, mode, unitText, layer, isMetric, operators, parse }: DailyContext,
): TableFile {
  const countKeys = (parts[0]?.csv.slice(0, parts[0].csv.indexOf('\n')).split(',') ?? []).slice(
    fixedColumns.length,
  )
  const hasPeriods = parts.some(({ period }) => period !== null)
  const countTitle = (key: string): string => {
    const slug = operatorOfCount(key)
    return slug === null ? t(`evaluation:counts.${mode.key}.${key}`) : operatorName(slug, operators)
  }
  function* readRows(): Generator<CellValue[]> {
    for (const { period, csv } of parts) {
      let isHead = true
      for (const [date = '', id = '', name = '', value = '', unit = '', n = '', ...sums] of readLines(
        csv,
        parse,
      )) {
        if (isHead) {
          isHead = false
          continue
        }
        const countsByKey = readCounts(
          Object.fromEntries(countKeys.map((key, index) => [key, Number(sums[index] ?? 0)])),
        )
        yield [
          ...(hasPeriods ? [period] : []),
          date,
          id === notInShape ? t('evaluation:legend.notInShape', { layer }) : name,
          readValue(value === '' ? null : Number(value), unit as SpatialUnit, isMetric),
          Number(n),
          ...countKeys.map((key) => countsByKey[key] ?? null),
          id === notInShape ? null : id,
        ]
      }
    }
  }
  return {
    titles: [
      ...(hasPeriods ? [t('evaluation:results.period')] : []),
      t('evaluation:results.date'),
      t('evaluation:results.shape'),
      t('evaluation:results.value', { unit: unitText }),
      t('evaluation:results.sampleSize'),
      ...countKeys.map(countTitle),
      t('evaluation:results.shapeId'),
    ],
    rows: readRows(),
  }
}

interface DailySource extends Pick<DailyContext, 't' | 'mode' | 'unitText'> {
  language: string
  region: Region
  layer: Layer | null
  question: MapQuestion
  /** The period of the map, then that of the comparison. */
  periods: readonly Period[]
  /** Name of the summary file, without extension. */
  fileName: string
}

/** Daily data as formats of the download menu. */
export function dailyFormats({
  t,
  language,
  region: { regionId, isMetric },
  mode,
  layer,
  unitText,
  question,
  periods,
  fileName,
}: DailySource): DownloadFormat[] {
  const load = async (): Promise<TableFile> => {
    const { parse } = (await import('papaparse')).default
    const operators = await call(listOperators, { query: { region_id: regionId, size: 300 } })
    const parts: DailyPart[] = []
    for (const period of periods) {
      const body = { ...question, ...period }
      const csv = await call(downloadSpatialByDay, { params: { region_id: regionId }, body })
      parts.push({
        period: periods.length > 1 ? formatPeriod(period, language) : null,
        csv: new TextDecoder().decode(csv),
      })
    }
    return dailyFile(parts, {
      t,
      mode,
      unitText,
      layer: layerInSentence(layer),
      isMetric,
      operators: operators.items,
      parse,
    })
  }
  return getTableFormats(t, { fileName: `${fileName}-by-day`, name: t('evaluation:results.byDay'), load })
}
