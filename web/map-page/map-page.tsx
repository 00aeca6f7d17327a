import { Button } from '@mantine/core'
import { IconAdjustmentsHorizontal } from '@tabler/icons-react'
import { useEffect, useRef, type ReactNode, type RefObject } from 'react'
import { useTranslation } from 'react-i18next'
import type { Period } from '#web/filters/period.ts'
import { ShareButton } from '#web/filters/share-button.tsx'
import { focusTable, isFocusIn, isInPopup, mapPageMark } from '#web/kit/focus.ts'
import { AfterSelection } from '#web/kit/table/table.tsx'
import { useShortcuts } from '#web/kit/use-shortcuts.ts'
import styles from './map-page.module.css'
import { ResultsDrawer } from './results-drawer.tsx'
import { SidePanel } from './side-panel.tsx'
import type { MapPageState } from './use-map-page.ts'

interface Props {
  page: MapPageState
  /** Selected feature, which Escape deselects. */
  selected: string | null
  onSelect: (id: null) => void
  /** Title of the page, for screen readers. */
  title: string
  /** Title of the side panel; by default that of the page. */
  panelTitle?: string
  /** Fields of the side panel. */
  panel?: ReactNode
  /** Always visible below the scrolling fields of the panel. */
  panelFoot?: ReactNode
  /** Replaces the side panel. */
  sidePanel?: ReactNode
  map: ReactNode
  /** Message over the map: loading, failed, empty. */
  notice: ReactNode
  /** Legend and cards at the lower right; hidden on a phone while the panel or the results are open. */
  corner: ReactNode
  /** Time axis between the map and the results. */
  axis?: ReactNode
  /** Renders the results as a table at a height in pixels. */
  results: (height: number) => ReactNode
  /** The dates of the map, which shared links contain. */
  period?: Period
  /** Dims the results, which are those of the previous filters. */
  isStale?: boolean
  /** Whether the table of the results has files to download. */
  hasDownloads?: boolean
  resultActions?: ReactNode
  /** Text and icon of the button that opens the panel on a phone; by default, those of the filters. */
  opener?: { text: string; icon: ReactNode } | undefined
  /** Always visible at the upper left of the map. */
  status?: ReactNode
}

/**
 * The page around a map, which fills the page; everything else floats at its edges. T moves the focus to the
 * results, and from there closes them; Escape deselects. On a phone, selecting a row closes the results.
 */
export function MapPage({
  page,
  selected,
  onSelect,
  title,
  panelTitle = title,
  panel,
  panelFoot = null,
  sidePanel,
  map,
  notice,
  corner,
  axis,
  results,
  period,
  isStale = false,
  hasDownloads = true,
  resultActions = null,
  opener,
  status,
}: Props) {
  const { isSmall, isPanelOpen, setIsPanelOpen: setPanelOpen, areResultsOpen, showResults } = page
  const drawer = useRef<HTMLDivElement>(null)
  const { focusResults, hideResults } = useResultsFocus(drawer, page)
  // On a phone, the results hide the card of the selected feature.
  const handleSelection = (): void => {
    if (isSmall) hideResults()
  }
  useShortcuts([
    ['T', () => (areResultsOpen && isFocusIn(drawer.current) ? hideResults() : focusResults())],
    [
      'Escape',
      (event) => {
        if (selected !== null && !isInPopup(event.target)) onSelect(null)
      },
    ],
  ])
  const isCrowded = isSmall && (isPanelOpen || areResultsOpen)
  return (
    <div
      className={styles['root']}
      {...{ [mapPageMark]: true }}
      data-small={isSmall || undefined}
      data-panel={isPanelOpen || undefined}
      data-status={(status && !isCrowded) || undefined}
    >
      <h1 className="visually-hidden">{title}</h1>
      {sidePanel ?? (
        <SidePanel
          title={panelTitle}
          isSmall={isSmall}
          isOpen={isPanelOpen}
          onOpen={setPanelOpen}
          foot={panelFoot}
        >
          {panel}
        </SidePanel>
      )}
      {map}
      <div className={styles['over']}>
        <div className={styles['free']}>
          <div className={styles['notice']}>{notice}</div>
          {isCrowded ? null : corner}
          {status && !isCrowded ? <div className={styles['status']}>{status}</div> : null}
        </div>
        {axis && !(isSmall && isPanelOpen) ? <div className={styles['drawer']}>{axis}</div> : null}
        <div ref={drawer} className={styles['drawer']}>
          <ResultsDrawer
            isOpen={areResultsOpen}
            onOpen={showResults}
            isSmall={isSmall}
            isStale={isStale}
            hasDownloads={hasDownloads}
            actions={
              <>
                {resultActions}
                <ShareButton variant="subtle" color="gray" size="compact-sm" period={period ?? null} />
              </>
            }
            before={isSmall ? <PanelButton page={page} opener={opener} /> : null}
          >
            {(height) => <AfterSelection value={handleSelection}>{results(height)}</AfterSelection>}
          </ResultsDrawer>
        </div>
      </div>
    </div>
  )
}

/** Opens or closes the panel on a phone. */
function PanelButton({
  page: { isPanelOpen, setIsPanelOpen: setPanelOpen },
  opener,
}: Pick<Props, 'page' | 'opener'>) {
  const { t } = useTranslation()
  return (
    <Button
      variant="default"
      leftSection={opener?.icon ?? <IconAdjustmentsHorizontal size={18} />}
      aria-expanded={isPanelOpen}
      onClick={() => setPanelOpen(!isPanelOpen)}
    >
      {opener?.text ?? t('map:page.filters')}
    </Button>
  )
}

/** Moves the focus to the results, which may have to open first, and away from them when they close. */
function useResultsFocus(
  drawer: RefObject<HTMLDivElement | null>,
  { areResultsOpen, showResults }: MapPageState,
) {
  const wantsFocus = useRef(false)
  // The table exists only once the drawer is open.
  useEffect(() => {
    if (areResultsOpen && wantsFocus.current) focusTable(drawer.current)
    wantsFocus.current = false
  }, [drawer, areResultsOpen])
  return {
    focusResults: (): void => {
      wantsFocus.current = !areResultsOpen
      if (areResultsOpen) focusTable(drawer.current)
      else showResults(true)
    },
    hideResults: (): void => {
      // The table disappears, so the focus moves to the button of the drawer.
      drawer.current?.querySelector<HTMLElement>('[aria-keyshortcuts="T"]')?.focus()
      showResults(false)
    },
  }
}
