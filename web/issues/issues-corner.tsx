import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { IssuePoints, IssueType } from '#contract/issues.ts'
import { CurrentLegend } from '#web/map-page/by-shape/current-legend.tsx'
import { formatPeriod } from '#web/filters/period.ts'
import { DetailCard } from '#web/kit/detail-card.tsx'
import type { ShownMap } from '#web/map-page/by-shape/shown-map.ts'
import type { AxisPlaying } from '#web/map-page/time/axis-playing.ts'
import { formatInteger } from '#web/kit/format.ts'
import { dataColors, type Scheme } from '#web/kit/theme.ts'
import { IssueCard } from './issue-card.tsx'
import { toIssueKey, toMark, parseIssueKey } from './issue-key.ts'
import { formatResolutionTime } from './issue-text.ts'
import { type IssueSteps, useShownPoints } from './issue-steps.ts'
import { IssuesLegend } from './issues-legend.tsx'
import type { IssuesSearch } from './issues-search.ts'
import { recountEntries, listLegendEntries } from './legend-entries.ts'
import { getSeparationZoom, findAtSamePlace } from './place-marks.ts'
import type { ShapeRow } from './shape-rows.ts'
import type { useIssues } from './use-issues.ts'

interface Props {
  timezone: string
  scheme: Scheme
  isSmall: boolean
  search: IssuesSearch
  issues: ReturnType<typeof useIssues>
  rows: readonly ShapeRow[]
  map: ShownMap
  /** The measure that colors the shapes, and its unit. */
  heading: string
  unitText: string
  /** The points by day during a playback, else null. */
  playing: AxisPlaying<IssueSteps> | null
  zoom: number
  /** Index of the selected issue among the points, or -1. */
  selectedIndex: number
  select: (mark: string | null) => void
}

/** The lower right corner: the selected issue or shape, and the legend. */
export function IssuesCorner({
  timezone,
  scheme,
  isSmall,
  search,
  issues,
  rows,
  map,
  heading,
  unitText,
  playing,
  zoom,
  selectedIndex,
  select,
}: Props) {
  const { t, i18n } = useTranslation()
  const [openChoice, setOpenChoice] = useState<boolean | null>(null)
  // The card and the table do not fit at the same time.
  const isCrowded = search.results === true && search.issue !== undefined && search.show !== 'shapes'
  const isOpen = openChoice ?? !(isSmall || isCrowded)
  const { points, byShape, types, issue, question } = issues
  const shownPoints = useShownPoints(points, playing)
  // Determined over all days, so that the legend has constant rows during a playback.
  const areStacked = useMemo(() => points !== null && hasStacks(points), [points])
  if (search.show === 'shapes') {
    const row = rows.find(({ id }) => id === search.shape)
    const toFigure = (key: string, label: string, value: string) => ({ key, label, value })
    return (
      <>
        {row ? (
          <DetailCard
            name={row.name}
            onClear={() => select(null)}
            figures={[
              toFigure('count', t('issues:measure.count.name'), formatInteger(row.figures.count)),
              toFigure('open', t('issues:status.open'), formatInteger(row.figures.open)),
              toFigure('closed', t('issues:status.closed'), formatInteger(row.figures.closed)),
              toFigure(
                'median',
                t('issues:measure.median.name'),
                formatResolutionTime(row.figures.median_hours),
              ),
              toFigure('mean', t('issues:measure.mean.name'), formatResolutionTime(row.figures.mean_hours)),
            ]}
          />
        ) : null}
        {byShape && (byShape.total.count > 0 || map.comparison) ? (
          <CurrentLegend
            map={map}
            heading={heading}
            unitText={unitText}
            explanation={{
              definition: t(`issues:measure.${search.measure ?? 'count'}.definition`),
              period: formatPeriod(question, i18n.language),
            }}
            ramp={dataColors[scheme].sequential[search.colors ?? 'tide']}
            heat={null}
            isOpen={isOpen}
            onOpen={setOpenChoice}
          />
        ) : null}
      </>
    )
  }
  const indexes = points && selectedIndex >= 0 ? findAtSamePlace(points, selectedIndex) : []
  const selectNeighbor = (step: 1 | -1): void => {
    const neighbor = indexes[(indexes.indexOf(selectedIndex) + step + indexes.length) % indexes.length]
    if (points && neighbor !== undefined)
      select(toMark(toIssueKey(points.sources[points.source[neighbor]!]!, points.id[neighbor]!)))
  }
  const colorBy = search.color ?? 'status'
  const count = shownPoints?.id.length ?? 0
  const listEntries = (issues: IssuePoints, regionTypes: readonly IssueType[]) =>
    listLegendEntries(t, { matchingTypes: issues.types, regionTypes, colorBy, scheme })
  const areClustered = zoom < getSeparationZoom(count)
  return (
    <>
      {search.issue === undefined ? null : (
        <IssueCard
          key={search.issue}
          id={parseIssueKey(search.issue).id}
          response={issue}
          timezone={timezone}
          scheme={scheme}
          stack={
            indexes.length > 1
              ? { index: indexes.indexOf(selectedIndex), count: indexes.length, go: selectNeighbor }
              : null
          }
          onClear={() => select(null)}
        />
      )}
      {points && shownPoints && points.total > 0 && types && !(isSmall && search.issue !== undefined) ? (
        <IssuesLegend
          colorBy={colorBy}
          points={shownPoints}
          entries={recountEntries(listEntries(points, types.items), listEntries(shownPoints, types.items))}
          hasClusters={areClustered}
          hasStacks={!areClustered && areStacked}
          isOpen={isOpen}
          onOpen={setOpenChoice}
        />
      ) : null}
    </>
  )
}

/** Whether several points are at exactly the same place. */
const hasStacks = ({ lon, lat }: { lon: readonly number[]; lat: readonly number[] }): boolean =>
  new Set(lon.map((value, index) => `${value} ${lat[index]}`)).size < lon.length
