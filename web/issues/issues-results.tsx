import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { DownloadFormat } from '#web/kit/download-button.tsx'
import type { Period } from '#web/filters/period.ts'
import { layerInSentence } from '#web/map-page/layer-options.ts'
import { CurrentResults } from '#web/map-page/by-shape/current-results.tsx'
import type { ShownMap } from '#web/map-page/by-shape/shown-map.ts'
import { getDailyIssueFormats } from './daily-issues.ts'
import type { IssuesSearch } from './issues-search.ts'
import { IssuesTable } from './issues-table.tsx'
import { toMark } from './issue-key.ts'
import type { ShapeRow } from './shape-rows.ts'
import { ShapesTable } from './shapes-table.tsx'
import type { useIssues } from './use-issues.ts'

interface Props {
  regionId: string
  timezone: string
  search: IssuesSearch
  /** Download formats of all issues. */
  formats: readonly DownloadFormat[]
  change: (changes: Partial<IssuesSearch>) => void
  issues: Pick<ReturnType<typeof useIssues>, 'list' | 'day' | 'byShape' | 'question'>
  rows: readonly ShapeRow[]
  /** The shapes, optionally by day or compared with another period, with the texts of the current measure. */
  map: ShownMap
  heading: string
  unitText: string
  height: number
  select: (mark: string | null) => void
}

/** The table below the map: issues or shapes. */
export function IssuesResults({
  regionId,
  timezone,
  search,
  formats,
  change,
  issues: { list, day, byShape, question },
  rows,
  map,
  heading,
  unitText,
  height,
  select,
}: Props) {
  const { t } = useTranslation()
  const measure = search.measure ?? 'count'
  const names = useMemo(() => new Map(rows.map(({ id, name }) => [id, name])), [rows])
  if (search.show === 'shapes') {
    if (!byShape) return null
    const fileName = `issues-by-shape_${regionId}_${formatPeriod(question)}`
    const comparedPeriod = map.comparison?.period
    const dailyFormats = map.layer
      ? getDailyIssueFormats({
          t,
          measure,
          layer: layerInSentence(map.layer),
          names,
          regionId,
          layerId: map.layer.shape_layer_uuid,
          question,
          fileName,
        })
      : []
    if (map.playing || comparedPeriod)
      return (
        <CurrentResults
          map={map}
          regionId={regionId}
          heading={heading}
          unitText={unitText}
          period={question}
          fileName={comparedPeriod ? `${fileName}_and_${formatPeriod(comparedPeriod)}` : fileName}
          moreFormats={dailyFormats}
          height={height}
          selected={search.shape}
          onSelect={select}
        />
      )
    // Each measure has its own sort order.
    return (
      <ShapesTable
        key={measure}
        measure={measure}
        response={byShape}
        layer={layerInSentence(map.layer)}
        rows={rows}
        fileName={fileName}
        moreFormats={dailyFormats}
        height={height}
        selected={search.shape}
        onSelect={select}
      />
    )
  }
  return (
    <IssuesTable
      list={list}
      formats={formats}
      state={search}
      onStateChange={change}
      timezone={timezone}
      day={day}
      height={height}
      selected={search.issue}
      onSelect={(key) => select(toMark(key))}
    />
  )
}

/** Formats a period as a part of a file name. */
const formatPeriod = ({ start_date, end_date }: Period): string => `${start_date}_${end_date}`
