import { Button, useComputedColorScheme } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { IconAdjustmentsHorizontal } from '@tabler/icons-react'
import { useCallback, useMemo, useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { Layer, Shape } from '#contract/geography.ts'
import type { Region } from '#contract/regions.ts'
import { spreadColors } from '#web/charts/spread-colors.ts'
import { requestHeaders } from '#web/data/request-headers.ts'
import type { Failing } from '#web/kit/failed-state.tsx'
import type { TableColumn } from '#web/kit/table-column.ts'
import { dataColours, sizes } from '#web/kit/theme.ts'
import { boxOf } from '#web/map/drawing/box-of.ts'
import type { HeatPoint } from '#web/map/layers/heat-points.ts'
import { MapView } from '#web/map/map-view.tsx'
import { classify } from './classify.ts'
import type { Evaluation, EvaluationRow } from './evaluation.ts'
import { EvaluationMap } from './evaluation-map.tsx'
import type { EvaluationSearch } from './evaluation-search.ts'
import type { Explanation } from './explanation.ts'
import { firstView } from './first-view.ts'
import { HeatLegend } from './heat-legend.tsx'
import { Legend } from './legend.tsx'
import { legendRows } from './legend-rows.ts'
import { MapNotice } from './map-notice.tsx'
import { ResultsDrawer } from './results-drawer.tsx'
import { ResultsTable } from './results-table.tsx'
import { SelectionCard } from './selection-card.tsx'
import { ShapeCard } from './shape-card.tsx'
import { SidePanel } from './side-panel.tsx'
import { useEvaluationScene } from './use-evaluation-scene.ts'
import { useSmallScreen } from './use-small-screen.ts'

interface Props {
  title: string
  region: Region
  search: EvaluationSearch
  /** A step that Back undoes. */
  change: (part: Partial<EvaluationSearch>) => void
  /** A step that Back skips. */
  adjust: (part: Partial<EvaluationSearch>) => void
  layers: readonly Layer[] | null
  layer: Layer | null
  shapes: readonly Shape[] | null
  evaluation: Evaluation | null
  /** What is shown, its unit, and what a figure says of itself. */
  heading: string
  unitText: string
  explanation: Explanation | null
  panel: ReactNode
  /** Points in place of values, with what they are; null where heat is off. */
  heat: { points: readonly HeatPoint[] | null; text: string } | null
  countColumns: readonly TableColumn<EvaluationRow>[]
  selectionFigures: readonly { key: string; label: string; value: number | null }[]
  resultActions: ReactNode
  fileName: string
  status: { isWaiting: boolean; isStale: boolean; error: Failing | null; retry: () => void; empty: ReactNode }
  at: number
}

/** Any evaluation map: what differs between them is the question, the panel and the texts. */
export function EvaluationScreen(props: Props) {
  const { title, region, search, change, adjust, layers, layer, shapes, evaluation, heading, unitText, explanation, heat, status, at } = props
  const { t } = useTranslation()
  const scheme = useComputedColorScheme('light', { getInitialValueInEffect: false })
  const isSmall = useSmallScreen()
  const [panelChoice, setPanelOpen] = useState<boolean | null>(null)
  const [legendChoice, setLegendOpen] = useState<boolean | null>(null)
  const isPanelOpen = panelChoice ?? !isSmall
  const isLegendOpen = legendChoice ?? !isSmall
  const areResultsOpen = search.results === true

  const ramp = dataColours[scheme].sequential[search.colors ?? 'tide']
  const classes = useMemo(() => classify(new Map((evaluation?.rows ?? []).map((row) => [row.id, row.value]))), [evaluation])
  const colors = useMemo(() => spreadColors(ramp, classes.bins.length), [ramp, classes])
  const names = useMemo(() => new Map((shapes ?? []).map((shape) => [shape.shape_uuid, shape])), [shapes])
  const selected = search.shape ?? null
  const hot = useMemo(() => (heat ? { points: heat.points, colors: ramp } : null), [heat, ramp])
  const scene = useEvaluationScene({ layers, layer, shapes, classes: classes.of, colors, heat: hot, scheme, selected, at })

  const select = useCallback((id: string | null) => change({ shape: id ?? undefined }), [change])
  const showResults = useCallback((isOpen: boolean) => adjust({ results: isOpen ? true : undefined }), [adjust])
  useHotkeys([['T', () => showResults(!areResultsOpen)], ['Escape', (event) => { if (selected !== null && !isInPopup(event.target)) select(null) }, { preventDefault: false }]])

  const covered = { top: 0, right: 0, bottom: isSmall ? 56 : 44, left: isPanelOpen && !isSmall ? sizes.panel : 0 }
  const { view, isExact } = firstView(search.view, region, window.innerWidth - covered.left)
  const name = (id: string): string => names.get(id)?.shape_name ?? ''

  return (
    <EvaluationMap
      title={title} isSmall={isSmall} isPanelOpen={isPanelOpen}
      panel={<SidePanel title={title} isSmall={isSmall} isOpen={isPanelOpen} onOpen={setPanelOpen}>{props.panel}</SidePanel>}
      map={
        <MapView
          requestHeaders={requestHeaders} scene={scene} title={t('evaluation:mapOf', { title, region: region.text })} view={view} isExact={isExact} covered={covered} isMetric={region.isMetric} isDimmed={status.isStale}
          onView={({ lon, lat, zoom }) => adjust({ view: [lon, lat, zoom] })} onSelect={select}
          findShape={(id) => { const shape = names.get(id); return shape ? boxOf(shape.geom) : null }}
          hoverCard={(id) => <ShapeCard name={name(id)} row={evaluation?.byShape.get(id)} unit={evaluation?.unit ?? 'count'} unitText={unitText} />}
        />
      }
      notice={<MapNotice isWaiting={status.isWaiting} error={status.error} onRetry={status.retry} empty={status.empty} />}
      corner={
        isSmall && (isPanelOpen || areResultsOpen) ? null : (
          <>
            {selected !== null && names.has(selected) ? <SelectionCard name={name(selected)} figures={props.selectionFigures} onClear={() => select(null)} /> : null}
            {evaluation && explanation ? (
              <Legend
                title={heading} unit={unitText} evaluation={evaluation} explanation={explanation} rows={legendRows(t, classes, colors, evaluation.unit)} colors={ramp}
                instead={heat ? <HeatLegend text={heat.text} colors={ramp} points={heat.points?.length ?? null} /> : null} isOpen={isLegendOpen} onOpen={setLegendOpen}
              />
            ) : null}
          </>
        )
      }
      drawer={
        <ResultsDrawer
          isOpen={areResultsOpen} onOpen={showResults} isSmall={isSmall} actions={props.resultActions}
          before={isSmall ? <Button variant="default" leftSection={<IconAdjustmentsHorizontal size={18} />} aria-expanded={isPanelOpen} onClick={() => setPanelOpen(!isPanelOpen)}>{t('evaluation:filters')}</Button> : null}
        >
          {(height) =>
            evaluation ? (
              <ResultsTable
                label={heading} evaluation={evaluation} valueTitle={t('evaluation:results.value', { unit: unitText })} countColumns={props.countColumns} fileName={props.fileName} height={height}
                selected={search.shape} onSelect={select}
              />
            ) : null
          }
        </ResultsDrawer>
      }
    />
  )
}

/** There, Escape closes what is open and nothing else. */
const isInPopup = (target: EventTarget | null): boolean => target instanceof Element && target.closest('[role="dialog"], [role="listbox"], [aria-expanded="true"][aria-haspopup]') !== null
