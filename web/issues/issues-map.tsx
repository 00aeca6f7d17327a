import { Button } from '@mantine/core'
import { IconPlayerPlay } from '@tabler/icons-react'
import { useCallback, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { TFunction } from 'i18next'
import { downloadIssues } from '#contract/issues.ts'
import { localDay } from '#contract/period.ts'
import type { Region } from '#contract/regions.ts'
import { call } from '#web/data/client.ts'
import { requestHeaders } from '#web/data/request-headers.ts'
import { coveredMap, axisHeight } from '#web/map-page/covered-map.ts'
import { MapPage } from '#web/map-page/map-page.tsx'
import { useMapPage } from '#web/map-page/use-map-page.ts'
import { firstView } from '#web/map-page/first-view.ts'
import { MapNotice } from '#web/map-page/map-notice.tsx'
import { formatPeriod } from '#web/filters/period.ts'
import { CurrentShapeCard } from '#web/map-page/by-shape/current-shape-card.tsx'
import { ShownMaps } from '#web/map-page/by-shape/shown-maps.tsx'
import { MapTimeAxis } from '#web/map-page/time/map-time-axis.tsx'
import { type AxisFocus, useAxisFocus } from '#web/map-page/time/use-axis-focus.ts'
import { usePlayHead } from '#web/map-page/time/use-play-head.ts'
import { useEvaluationScene } from '#web/map-page/by-shape/use-evaluation-scene.ts'
import { parseCsv, getTableFormats } from '#web/kit/table-file.ts'
import { dataColors } from '#web/kit/theme.ts'
import { boundingBox } from '#web/map/rendering/bounding-box.ts'
import { MapView } from '#web/map/map-view.tsx'
import { useMapScheme } from '#web/map/use-map-scheme.ts'
import { useHoverParam, useSearchState } from '#web/shell/use-search-state.ts'
import type { Comparison } from '#web/map-page/by-shape/compare/comparison.ts'
import { findPointIndex, fromMark, toMark } from './issue-key.ts'
import { IssueHover } from './issue-hover.tsx'
import { IssuesCorner } from './issues-corner.tsx'
import { IssuesPanel } from './issues-panel.tsx'
import { IssuesResults } from './issues-results.tsx'
import { issueBuckets, issueExtras, issuesSearch, type IssuesSearch } from './issues-search.ts'
import { IssueSteps } from './issue-steps.ts'
import { useIssueView } from './use-issue-view.ts'
import { useIssues } from './use-issues.ts'
import { useEmptyMessage } from './use-empty-message.tsx'
import { useShapeMap } from './use-shape-map.ts'

/** Width of the card over the map, including margins. */
const cardWidthPx = 376
/** On a phone, the card covers this share of the map's height. */
const phoneCardShare = 0.45

interface Props {
  region: Region
  /** When the screen was opened, ms since 1970. */
  at: number
}

/** The 311 issues of a region: as points, or by shape of a layer. */
export function IssuesMap({ region, at }: Props) {
  const { t } = useTranslation()
  const { regionId, timezone } = region
  const state = useIssuesMap({ region, at })
  const { scheme, search, change, page, today, issues, isByShape, playing, rows, map, axis, select } = state
  const { isSmall, isPanelOpen } = page
  const { question } = issues
  const texts = useMeasureTexts(search, map.comparison)
  const { heading, unit, unitSingular, unitText } = texts
  const emptyMessage = useEmptyMessage({ regionId, search, change, issues, today })
  const focus = useAxisFocus()
  const canOpenAxis = search.by === undefined && map.comparison === null && issues.types?.items.length !== 0
  return (
    <MapPage
      page={page}
      selected={state.selected}
      onSelect={select}
      title={t('shell:pages.issues')}
      panel={
        <IssuesPanel
          region={region}
          today={today}
          scheme={scheme}
          search={search}
          change={change}
          issues={issues}
        />
      }
      map={<MapArea region={region} at={at} state={state} texts={texts} />}
      notice={
        <MapNotice
          isWaiting={issues.isWaiting}
          error={issues.error}
          onRetry={issues.retry}
          empty={emptyMessage}
        />
      }
      corner={
        <IssuesCorner
          timezone={timezone}
          scheme={scheme}
          isSmall={isSmall}
          search={search}
          issues={issues}
          rows={rows}
          map={map}
          heading={heading}
          unitText={unitText}
          playing={playing}
          zoom={state.view.zoom}
          selectedIndex={state.selectedIndex}
          select={select}
        />
      }
      axis={
        state.hasAxis && !(isSmall && isPanelOpen) ? (
          <MapTimeAxis
            region={region}
            period={question}
            playing={axis}
            unitText={isByShape ? unit : t('issues:measure.count.unit', { count: 2 })}
            unitSingular={isByShape ? unitSingular : t('issues:measure.count.unit', { count: 1 })}
            search={search}
            change={change}
            offeredBuckets={issueBuckets}
            extras={issueExtras}
            focus={focus}
          />
        ) : null
      }
      period={question}
      isStale={issues.isStale}
      resultActions={canOpenAxis ? <PlaybackButton focus={focus} change={change} /> : null}
      results={(height) => (
        <IssuesResults
          regionId={regionId}
          timezone={timezone}
          search={search}
          formats={getIssueFormats(t, regionId, question, search.sort)}
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
    />
  )
}

/** Returns what the map shows for the current URL, and what its controls change. */
function useIssuesMap({ region, at }: Props) {
  const scheme = useMapScheme()
  const { search, push: change, replace: adjust } = useSearchState(issuesSearch)
  const page = useMapPage(search, adjust)
  const { isSmall, isPanelOpen, areResultsOpen } = page
  const today = localDay(new Date(at), region.timezone)
  const issues = useIssues(region, search, today)
  const { points, shapes, layer, layers } = issues
  const isByShape = search.show === 'shapes'
  const playing = useIssuePlayback(issues, search, adjust)
  const { rows, map, painting } = useShapeMap({ search, issues, adjust, scheme })
  const axis = isByShape ? map.playing : playing
  const hasAxis = axis !== null || search.under !== undefined
  const key = search.issue
  const { selectedIndex, place } = useSelectedIssue(issues, key)

  // On a phone the card covers the lower half of the map, otherwise its right side.
  const coveredByPage = coveredMap({ isSmall, isPanelOpen, areResultsOpen, hasAxis })
  const coveredByCard = isSmall
    ? { bottom: Math.round(window.innerHeight * phoneCardShare) + (hasAxis ? axisHeight : 0) }
    : { right: cardWidthPx }
  const covered = key === undefined || isByShape ? coveredByPage : { ...coveredByPage, ...coveredByCard }
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
  const selected = isByShape ? (search.shape ?? null) : key === undefined ? null : toMark(key)
  const scene = useEvaluationScene({
    layers,
    layer,
    shapes,
    binById: painting.binById,
    colors: painting.colors,
    heat: null,
    scheme,
    selected,
    at,
  })
  const select = useCallback(
    (mark: string | null) => {
      if (isByShape) change({ shape: mark ?? undefined })
      // On a phone the table would cover the selected issue.
      else
        change({
          issue: mark === null ? undefined : fromMark(mark),
          ...(isSmall && mark !== null ? { results: undefined } : {}),
        })
    },
    [change, isByShape, isSmall],
  )
  const findShape = (id: string) => {
    if (!isByShape)
      return (
        place && ([place.lon, place.lat, place.lon, place.lat] satisfies [number, number, number, number])
      )
    const shape = shapes?.find(({ shape_uuid }) => shape_uuid === id)
    return shape ? boundingBox(shape.geom) : null
  }
  return {
    scheme,
    search,
    change,
    adjust,
    page,
    today,
    issues,
    isByShape,
    playing,
    rows,
    map,
    axis,
    hasAxis,
    selectedIndex,
    covered,
    view,
    isExact,
    marks,
    selected,
    scene,
    select,
    findShape,
  }
}

type IssuesMapState = ReturnType<typeof useIssuesMap>

/** Returns the playback of points by day, if it is on. */
function useIssuePlayback(
  { points, question: { start_date, end_date } }: ReturnType<typeof useIssues>,
  search: IssuesSearch,
  adjust: (changes: Partial<IssuesSearch>) => void,
) {
  // The list of another day starts at its first page.
  const goTo = useCallback(
    (changes: { at: string | undefined }) => adjust({ ...changes, page: undefined }),
    [adjust],
  )
  const isPlayed = search.by !== undefined
  const steps = useMemo(
    () => (points && isPlayed ? new IssueSteps(points, { start_date, end_date }) : null),
    [points, isPlayed, start_date, end_date],
  )
  return usePlayHead(steps, search.at, goTo)
}

/** Returns the selected issue: its index among the points, and its place. */
function useSelectedIssue(
  { points, issue: { data: details } }: ReturnType<typeof useIssues>,
  key: string | undefined,
) {
  const selectedIndex = points && key !== undefined ? findPointIndex(points, key) : -1
  const place = useMemo(() => {
    if (selectedIndex >= 0 && points)
      return { lon: points.lon[selectedIndex]!, lat: points.lat[selectedIndex]! }
    return details && details.lon !== null && details.lat !== null
      ? { lon: details.lon, lat: details.lat }
      : null
  }, [selectedIndex, points, details])
  return { selectedIndex, place }
}

/** Returns the measure as a heading and as units; `unitText` is that of the map, such as a change. */
function useMeasureTexts(search: IssuesSearch, comparison: Comparison | null) {
  const { t, i18n } = useTranslation()
  const measure = search.measure ?? 'count'
  const name = t(`issues:measure.${measure}.name`)
  const unit = t(`issues:measure.${measure}.unit`, { count: 2 })
  const unitSingular = t(`issues:measure.${measure}.unit`, { count: 1 })
  const earlierPeriod =
    comparison && comparison.kind !== 'side' ? formatPeriod(comparison.period, i18n.language) : null
  const heading = earlierPeriod === null ? name : t('evaluation:compare.heading', { heading: name })
  const changeUnitKey = comparison?.kind === 'percent' ? 'percentUnit' : 'unit'
  const unitText =
    earlierPeriod === null ? unit : t(`evaluation:compare.${changeUnitKey}`, { unit, period: earlierPeriod })
  return {
    heading,
    unit,
    unitSingular,
    unitText,
    unitTextSingular: earlierPeriod === null ? unitSingular : unitText,
  }
}

interface MapAreaProps extends Props {
  state: IssuesMapState
  texts: ReturnType<typeof useMeasureTexts>
}

/** One map, or two maps of both periods side by side. */
function MapArea({ region, at, state, texts: { unitText, unitTextSingular } }: MapAreaProps) {
  const { t } = useTranslation()
  const hover = useHoverParam()
  const { scheme, search, adjust, page, issues, isByShape, playing, map, select } = state
  const setView = (next: [lon: number, lat: number, zoom: number]): void => adjust({ view: next })
  return isByShape && map.comparison?.kind === 'side' ? (
    <ShownMaps
      title={t('shell:pages.issues')}
      region={region}
      search={search}
      map={map}
      period={issues.question}
      ramp={dataColors[scheme].sequential[search.colors ?? 'tide']}
      scheme={scheme}
      heat={null}
      unitText={unitText}
      unitSingular={unitTextSingular}
      isSmall={page.isSmall}
      isPanelOpen={page.isPanelOpen}
      hasAxis={false}
      isDimmed={issues.isStale}
      onViewChange={setView}
      onSelect={select}
      at={at}
    />
  ) : (
    <MapView
      requestHeaders={requestHeaders}
      scene={state.scene}
      fleet={state.marks}
      title={t('issues:mapOf', { region: region.text })}
      view={state.view}
      isExact={state.isExact}
      covered={state.covered}
      isMetric={region.isMetric}
      isDimmed={issues.isStale}
      playing={isByShape ? (map.playing?.states ?? null) : null}
      onViewChange={({ lon, lat, zoom }) => setView([lon, lat, zoom])}
      onHover={hover}
      onSelect={select}
      findShape={state.findShape}
      hoverCard={(id) =>
        isByShape ? (
          <CurrentShapeCard map={map} id={id} unitText={unitText} unitSingular={unitTextSingular} />
        ) : (
          <IssueHover id={fromMark(id)} points={issues.points} playing={playing} />
        )
      }
    />
  )
}

interface PlaybackButtonProps {
  focus: AxisFocus
  change: (changes: Partial<IssuesSearch>) => void
}

/** A button that opens the time axis. */
function PlaybackButton({ focus: { buttonRef, passFocusToAxis }, change }: PlaybackButtonProps) {
  const { t } = useTranslation()
  return (
    <Button
      ref={buttonRef}
      variant="subtle"
      color="gray"
      leftSection={<IconPlayerPlay size={18} />}
      onClick={() => {
        passFocusToAxis()
        change({ by: 'day' })
      }}
    >
      {t('evaluation:time.open')}
    </Button>
  )
}

/** Returns the download of all issues of a question. */
const getIssueFormats = (
  t: TFunction,
  regionId: string,
  question: ReturnType<typeof useIssues>['question'],
  sort: IssuesSearch['sort'],
) =>
  getTableFormats(t, {
    fileName: `issues_${regionId}_${question.start_date}_${question.end_date}`,
    load: async () => {
      const query = { ...question, ...(sort ? { order_by: sort } : {}) }
      const csv = await call(downloadIssues, { params: { region_id: regionId }, query })
      return parseCsv(new TextDecoder().decode(csv))
    },
  })
