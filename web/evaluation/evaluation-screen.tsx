import { Button, useComputedColorScheme } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { IconAdjustmentsHorizontal } from '@tabler/icons-react'
import { useCallback, useMemo, useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { Region } from '#contract/regions.ts'
import { isInPopup } from '#web/kit/focus.ts'
import type { DisplayableError } from '#web/kit/failed-state.tsx'
import { dataColors } from '#web/kit/theme.ts'
import type { HeatPoint } from '#web/map/layers/heat-points.ts'
import { EvaluationMap } from './evaluation-map.tsx'
import type { Explanation } from './evaluation.ts'
import { LegendNow } from './legend-now.tsx'
import { MapNotice } from './map-notice.tsx'
import type { MapSearch } from './map-search.ts'
import type { Period } from '#web/filters/period.ts'
import { ResultsDrawer } from './results-drawer.tsx'
import { ResultsNow } from './results-now.tsx'
import { SelectionCard } from './selection-card.tsx'
import type { ShownMap } from './shown-map.ts'
import { ShownMaps } from './shown-maps.tsx'
import { SidePanel } from './side-panel.tsx'
import { useSmallScreen } from './use-small-screen.ts'

interface Props {
  title: string
  region: Region
  search: MapSearch
  /** A step that Back undoes. */
  change: (part: Partial<MapSearch>) => void
  /** A step that Back skips. */
  adjust: (part: Partial<MapSearch>) => void
  map: ShownMap
  /** What is shown, and its unit; `valueUnit` is that of the values where changes are shown. */
  heading: string
  unitText: string
  valueUnit: string
  explanation: Pick<Explanation, 'definition' | 'period'>
  period: Period
  panel: ReactNode
  /** The time axis, over the drawer. */
  axis: ReactNode
  /** Points in place of values, with what they are; null where heat is off. */
  heat: { points: readonly HeatPoint[] | null; text: string } | null
  selectionFigures: readonly { key: string; label: string; value: string | null }[]
  resultActions: ReactNode
  /** Without its ending. */
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

/** Any map of values by shape: what differs between them is the question, the panel and the texts. */
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
    valueUnit,
    explanation,
    heat,
    status,
  } = props
  const { t } = useTranslation()
  const scheme = useComputedColorScheme('light', { getInitialValueInEffect: false })
  const isSmall = useSmallScreen()
  const [panelChoice, setPanelOpen] = useState<boolean | null>(null)
  const [legendChoice, setLegendOpen] = useState<boolean | null>(null)
  const isPanelOpen = panelChoice ?? !isSmall
  // Beside another map there is less room: the legend's colours and ends say enough until it is opened.
  const isBeside = map.comparison?.kind === 'side'
  const isLegendOpen = legendChoice ?? !(isSmall || isBeside)
  const areResultsOpen = search.results === true
  const ramp = dataColors[scheme].sequential[search.colors ?? 'tide']
  const selected = search.shape ?? null
  const selectedName = useMemo(
    () => map.shapes?.find((shape) => shape.shape_uuid === selected)?.shape_name ?? null,
    [map.shapes, selected],
  )

  const select = useCallback((id: string | null) => change({ shape: id ?? undefined }), [change])
  const showResults = useCallback(
    (isOpen: boolean) => adjust({ results: isOpen ? true : undefined }),
    [adjust],
  )
  useHotkeys([
    ['T', () => showResults(!areResultsOpen)],
    [
      'Escape',
      (event) => {
        if (selected !== null && !isInPopup(event.target)) select(null)
      },
      { preventDefault: false },
    ],
  ])

  return (
    <EvaluationMap
      title={title}
      isSmall={isSmall}
      isPanelOpen={isPanelOpen}
      panel={
        <SidePanel title={title} isSmall={isSmall} isOpen={isPanelOpen} onOpen={setPanelOpen}>
          {props.panel}
        </SidePanel>
      }
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
        isSmall && (isPanelOpen || areResultsOpen) ? null : (
          <>
            {selectedName === null ? null : (
              <SelectionCard
                name={selectedName}
                figures={props.selectionFigures}
                onClear={() => select(null)}
              />
            )}
            <LegendNow
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
        )
      }
      axis={isSmall && isPanelOpen ? null : props.axis}
      drawer={
        <ResultsDrawer
          isOpen={areResultsOpen}
          onOpen={showResults}
          isSmall={isSmall}
          actions={props.resultActions}
          before={
            isSmall ? (
              <Button
                variant="default"
                leftSection={<IconAdjustmentsHorizontal size={18} />}
                aria-expanded={isPanelOpen}
                onClick={() => setPanelOpen(!isPanelOpen)}
              >
                {t('evaluation:filters')}
              </Button>
            ) : null
          }
        >
          {(height) => (
            <ResultsNow
              map={map}
              regionId={region.regionId}
              heading={heading}
              unitText={valueUnit}
              period={props.period}
              fileName={props.fileName}
              height={height}
              selected={search.shape}
              onSelect={select}
              state={search}
              onState={change}
            />
          )}
        </ResultsDrawer>
      }
    />
  )
}
