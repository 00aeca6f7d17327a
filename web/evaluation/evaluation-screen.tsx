import { useCallback, useMemo, useState, type ReactNode } from 'react'
import type { Region } from '#contract/regions.ts'
import type { DownloadFormat } from '#web/kit/download-button.tsx'
import type { DisplayableError } from '#web/kit/failed-state.tsx'
import { dataColors } from '#web/kit/theme.ts'
import type { HeatPoint } from '#web/map/layers/heat-points.ts'
import { MapPage } from '#web/map-page/map-page.tsx'
import { useMapPage } from '#web/map-page/use-map-page.ts'
import type { Explanation } from '#web/map-page/by-shape/evaluation.ts'
import { CurrentLegend } from '#web/map-page/by-shape/current-legend.tsx'
import { MapNotice } from '#web/map-page/map-notice.tsx'
import type { MapSearch } from '#web/map-page/by-shape/map-search.ts'
import type { Period } from '#web/filters/period.ts'
import { CurrentResults } from '#web/map-page/by-shape/current-results.tsx'
import { DetailCard } from '#web/kit/detail-card.tsx'
import type { ShownMap } from '#web/map-page/by-shape/shown-map.ts'
import { ShownMaps } from '#web/map-page/by-shape/shown-maps.tsx'
import { useMapScheme } from '#web/map/use-map-scheme.ts'

interface Props {
  title: string
  region: Region
  search: MapSearch
  /** Changes the URL in a way that Back undoes. */
  change: (part: Partial<MapSearch>) => void
  /** Changes the URL in a way that Back skips. */
  adjust: (part: Partial<MapSearch>) => void
  map: ShownMap
  /**
   * The content of the map and its unit, in plural and singular; `valueUnit` is the unit of the values while
   * changes are shown.
   */
  heading: string
  unitText: string
  unitOne: string
  valueUnit: string
  explanation: Pick<Explanation, 'definition' | 'period' | 'buffer'>
  period: Period
  panel: ReactNode
  /** The time axis and values by day, above the drawer. */
  axis: ReactNode
  /** Points that are shown instead of values, with their description; null if the heat map is off. */
  heat: { points: readonly HeatPoint[] | null; text: string } | null
  selectionFigures: readonly { key: string; label: string; value: string | null }[]
  /** Below the figures of the selected shape. */
  selectionActions?: ReactNode
  resultActions: ReactNode
  /** Formats of the download menu in addition to the table. */
  moreFormats: readonly DownloadFormat[]
  /** Without extension. */
  fileName: string
  status: {
    isWaiting: boolean
    progress?: string | null
    reason?: string | null
    isStale: boolean
    error: DisplayableError | null
    retry: () => void
    empty: ReactNode
  }
  at: number
}

/** The screen of a map of values by shape. Maps differ in their question, panel and texts. */
export function EvaluationScreen(props: Props) {
  const {
    title,
    region,
    search,
    change,
    adjust,
    map,
    heading,
    unitText,
    unitOne,
    valueUnit,
    explanation,
    heat,
    status,
  } = props
  const scheme = useMapScheme()
  const [legendChoice, setLegendOpen] = useState<boolean | null>(null)
  const selected = search.shape ?? null
  const select = useCallback((id: string | null) => change({ shape: id ?? undefined }), [change])
  const page = useMapPage(search, adjust)
  const { isSmall, isPanelOpen } = page
  // Side by side, maps are narrow: the legend starts collapsed.
  const isBeside = map.comparison?.kind === 'side'
  const isLegendOpen = legendChoice ?? !(isSmall || isBeside)
  const ramp = dataColors[scheme].sequential[search.colors ?? 'tide']
  const selectedName = useMemo(
    () => map.shapes?.find((shape) => shape.shape_uuid === selected)?.shape_name ?? null,
    [map.shapes, selected],
  )

  return (
    <MapPage
      page={page}
      selected={selected}
      onSelect={select}
      title={title}
      panel={props.panel}
      map={
        <ShownMaps
          title={title}
          region={region}
          search={search}
          map={map}
          period={props.period}
          ramp={ramp}
          scheme={scheme}
          heat={heat?.points ?? (heat ? [] : null)}
          unitText={unitText}
          unitOne={unitOne}
          isSmall={isSmall}
          isPanelOpen={isPanelOpen}
          hasAxis={props.axis !== null}
          isDimmed={status.isStale}
          onView={(view) => adjust({ view })}
          onSelect={select}
          at={props.at}
        />
      }
      notice={
        <MapNotice
          isWaiting={status.isWaiting}
          progress={status.progress}
          reason={status.reason}
          error={status.error}
          onRetry={status.retry}
          empty={status.empty}
        />
      }
      corner={
        <>
          {selectedName === null ? null : (
            <DetailCard
              // The figures are those of the entire period, even while a single hour or day is shown.
              name={map.playing ? `${selectedName}, ${props.explanation.period}` : selectedName}
              figures={props.selectionFigures}
              actions={props.selectionActions}
              onClear={() => select(null)}
            />
          )}
          <CurrentLegend
            map={map}
            heading={heading}
            unitText={unitText}
            explanation={explanation}
            ramp={ramp}
            heat={heat && { text: heat.text, points: heat.points?.length ?? null }}
            isOpen={isLegendOpen}
            onOpen={setLegendOpen}
          />
        </>
      }
      axis={isSmall && isPanelOpen ? null : props.axis}
      period={props.period}
      isStale={status.isStale}
      resultActions={props.resultActions}
      results={(height) => (
        <CurrentResults
          map={map}
          regionId={region.regionId}
          heading={heading}
          unitText={valueUnit}
          period={props.period}
          fileName={props.fileName}
          moreFormats={props.moreFormats}
          isWaiting={status.isWaiting}
          height={height}
          selected={search.shape}
          onSelect={select}
          state={search}
          onState={change}
        />
      )}
    />
  )
}
