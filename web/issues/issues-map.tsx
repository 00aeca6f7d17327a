import { Button, useComputedColorScheme } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { IconAdjustmentsHorizontal, IconPlayerPlay } from '@tabler/icons-react'
import { useCallback, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { localDay } from '#contract/period.ts'
import type { Region } from '#contract/regions.ts'
import { requestHeaders } from '#web/data/request-headers.ts'
import { coveredMap, axisHeight } from '#web/evaluation/covered-map.ts'
import { EvaluationMap } from '#web/evaluation/evaluation-map.tsx'
import { firstView } from '#web/evaluation/first-view.ts'
import { MapNotice } from '#web/evaluation/map-notice.tsx'
import { periodText } from '#web/filters/period.ts'
import { ResultsDrawer } from '#web/evaluation/results-drawer.tsx'
import { ShapeCardNow } from '#web/evaluation/shape-card-now.tsx'
import { ShownMaps } from '#web/evaluation/shown-maps.tsx'
import { SidePanel } from '#web/evaluation/side-panel.tsx'
import { AxisOfMap } from '#web/evaluation/time/axis-of-map.tsx'
import { useAxisFocus } from '#web/evaluation/time/use-axis-focus.ts'
import { usePlayHead } from '#web/evaluation/time/use-play-head.ts'
import { useEvaluationScene } from '#web/evaluation/use-evaluation-scene.ts'
import { useSmallScreen } from '#web/evaluation/use-small-screen.ts'
import { isInPopup } from '#web/kit/focus.ts'
import { dataColors } from '#web/kit/theme.ts'
import { boundingBox } from '#web/map/drawing/bounding-box.ts'
import { MapView } from '#web/map/map-view.tsx'
import { useHoverParam, useSearchState } from '#web/shell/use-search-state.ts'
import { findPoint, keyOfMark, markOf } from './issue-key.ts'
import { IssueHover } from './issue-hover.tsx'
import { IssuesCorner } from './issues-corner.tsx'
import { IssuesDownload } from './issues-download.tsx'
import { IssuesPanel } from './issues-panel.tsx'
import { IssuesResults } from './issues-results.tsx'
import { issueBuckets, issueExtras, issuesSearch } from './issues-search.ts'
import { IssueSteps } from './issue-steps.ts'
import { useIssueView } from './use-issue-view.ts'
import { useIssues } from './use-issues.ts'
import { useNothingShown } from './use-nothing-shown.tsx'
import { useShapeMap } from './use-shape-map.ts'

/** Pixels of the card, with its margins, that floats over the map. */
const cardWidth = 376

interface Props {
  region: Region
  /** When the screen was opened, ms since 1970. */
  at: number
}

/** The 311 issues of a region: as points, or by shape of a layer. */
export function IssuesMap({ region, at }: Props) {
  const { t, i18n } = useTranslation()
  const { regionId, timezone, isMetric } = region
  const scheme = useComputedColorScheme('light', { getInitialValueInEffect: false })
  const isSmall = useSmallScreen()
  const { search, push: change, replace: adjust } = useSearchState(issuesSearch)
  const hover = useHoverParam()
  const today = localDay(new Date(at), timezone)
  const issues = useIssues(region, search, today)
  const { points, shapes, layer, layers, issue, question } = issues
  const [panelChoice, setPanelOpen] = useState<boolean | null>(null)
  const isPanelOpen = panelChoice ?? !isSmall
  const areResultsOpen = search.results === true
  const isByShape = search.show === 'shapes'

  // Another day is another list.
  const goTo = useCallback(
    (part: { at: string | undefined }) => adjust({ ...part, page: undefined }),
    [adjust],
  )
  const isPlayed = search.by !== undefined
  const { start_date, end_date } = question
  const steps = useMemo(
    () => (points && isPlayed ? new IssueSteps(points, { start_date, end_date }) : null),
    [points, isPlayed, start_date, end_date],
  )
  const playing = usePlayHead(steps, search.at, goTo)
  const { rows, map, painting } = useShapeMap({ search, issues, adjust, scheme })
  const { comparison } = map
  const axis = isByShape ? map.playing : playing

  const key = search.issue
  const found = points && key !== undefined ? findPoint(points, key) : -1
  const told = issue.data
  const place = useMemo(() => {
    if (found >= 0 && points) return { lon: points.lon[found]!, lat: points.lat[found]! }
    return told && told.lon !== null && told.lat !== null ? { lon: told.lon, lat: told.lat } : null
  }, [found, points, told])

  // On a phone the card covers the lower half; else it stands at the right.
  const around = coveredMap({ isSmall, isPanelOpen, areResultsOpen, hasAxis: axis !== null })
  const covered =
    key === undefined || isByShape
      ? around
      : isSmall
        ? { ...around, bottom: Math.round(window.innerHeight * 0.45) + (axis ? axisHeight : 0) }
        : { ...around, right: cardWidth }
  const { view, isExact } = firstView(search.view, region, window.innerWidth - covered.left)
  const marks = useIssueView({
    points,
    playing,
    types: issues.types?.items ?? null,
    color: search.color ?? 'status',
    scheme,
    zoom: view.zoom,
    selected: key === undefined || isByShape ? null : place,
  })
  const selected = isByShape ? (search.shape ?? null) : key === undefined ? null : markOf(key)
  const scene = useEvaluationScene({
    layers,
    layer,
    shapes,
    classes: painting.of,
    colors: painting.colors,
    heat: null,
    scheme,
    selected,
    at,
  })

  const select = useCallback(
    (mark: string | null) => {
      if (isByShape) change({ shape: mark ?? undefined })
      // On a phone the table would hide what it leads to.
      else
        change({
          issue: mark === null ? undefined : keyOfMark(mark),
          ...(isSmall && mark !== null ? { results: undefined } : {}),
        })
    },
    [change, isByShape, isSmall],
  )
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
  const findShape = (id: string) => {
    if (!isByShape)
      return (
        place && ([place.lon, place.lat, place.lon, place.lat] satisfies [number, number, number, number])
      )
    const shape = shapes?.find((each) => each.shape_uuid === id)
    return shape ? boundingBox(shape.geom) : null
  }
  const nothing = useNothingShown({ regionId, search, change, issues, today })
  const title = t('shell:pages.issues')
  const measure = search.measure ?? 'count'
  const name = t(`issues:measure.${measure}.name`)
  const unit = t(`issues:measure.${measure}.unit`)
  const before =
    comparison && comparison.kind !== 'side' ? periodText(comparison.period, i18n.language) : null
  const heading = before === null ? name : t('evaluation:compare.heading', { heading: name })
  const unitText =
    before === null
      ? unit
      : comparison?.kind === 'percent'
        ? t('evaluation:compare.percentUnit', { period: before })
        : t('evaluation:compare.unit', { unit, period: before })
  const ramp = dataColors[scheme].sequential[search.colors ?? 'tide']
  const lookAt = (next: [lon: number, lat: number, zoom: number]): void => adjust({ view: next })

  const focus = useAxisFocus()
  const { takeButton, toAxis } = focus
  const actions = (
    <>
      {isPlayed || comparison ? null : (
        <Button
          ref={takeButton}
          variant="subtle"
          color="gray"
          leftSection={<IconPlayerPlay size={18} />}
          onClick={() => {
            toAxis()
            change({ by: 'day' })
          }}
        >
          {t('evaluation:time.open')}
        </Button>
      )}
      {isByShape ? null : <IssuesDownload regionId={regionId} question={question} sort={search.sort} />}
    </>
  )
  return (
    <EvaluationMap
      title={title}
      isSmall={isSmall}
      isPanelOpen={isPanelOpen}
      panel={
        <SidePanel title={title} isSmall={isSmall} isOpen={isPanelOpen} onOpen={setPanelOpen}>
          <IssuesPanel today={today} scheme={scheme} search={search} change={change} issues={issues} />
        </SidePanel>
      }
      map={
        isByShape && comparison?.kind === 'side' ? (
          <ShownMaps
            title={title}
            region={region}
            search={search}
            map={map}
            period={question}
            ramp={ramp}
            scheme={scheme}
            heat={null}
            unitText={unitText}
            isSmall={isSmall}
            isPanelOpen={isPanelOpen}
            hasAxis={false}
            isDimmed={issues.isStale}
            onView={lookAt}
            onSelect={select}
            at={at}
          />
        ) : (
          <MapView
            requestHeaders={requestHeaders}
            scene={scene}
            fleet={marks}
            title={t('issues:mapOf', { region: region.text })}
            view={view}
            isExact={isExact}
            covered={covered}
            isMetric={isMetric}
            isDimmed={issues.isStale}
            playing={isByShape ? (map.playing?.states ?? null) : null}
            onView={({ lon, lat, zoom }) => lookAt([lon, lat, zoom])}
            onHover={hover}
            onSelect={select}
            findShape={findShape}
            hoverCard={(id) =>
              isByShape ? (
                <ShapeCardNow map={map} id={id} unitText={unitText} />
              ) : (
                <IssueHover id={keyOfMark(id)} points={points} playing={playing} />
              )
            }
          />
        )
      }
      notice={
        <MapNotice isWaiting={issues.isWaiting} error={issues.error} onRetry={issues.retry} empty={nothing} />
      }
      corner={
        isSmall && (isPanelOpen || areResultsOpen) ? null : (
          <IssuesCorner
            zone={timezone}
            scheme={scheme}
            isSmall={isSmall}
            search={search}
            issues={issues}
            rows={rows}
            map={map}
            heading={heading}
            unitText={unitText}
            playing={playing}
            zoom={view.zoom}
            found={found}
            select={select}
          />
        )
      }
      axis={
        axis && !(isSmall && isPanelOpen) ? (
          <AxisOfMap
            region={region}
            period={question}
            playing={axis}
            unitText={isByShape ? unit : t('issues:measure.count.unit')}
            search={search}
            change={change}
            adjust={adjust}
            offered={issueBuckets}
            extras={issueExtras}
            focus={focus}
          />
        ) : null
      }
      drawer={
        <ResultsDrawer
          isOpen={areResultsOpen}
          onOpen={showResults}
          isSmall={isSmall}
          actions={issues.types?.items.length === 0 ? null : actions}
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
            <IssuesResults
              regionId={regionId}
              zone={timezone}
              search={search}
              change={change}
              issues={issues}
              rows={rows}
              map={map}
              heading={heading}
              unitText={unit}
              height={height}
              select={select}
            />
          )}
        </ResultsDrawer>
      }
    />
  )
}
