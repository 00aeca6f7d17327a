import { useMemo } from 'react'
import type { IssuesByShape } from '#contract/issues.ts'
import { dayNumber } from '#contract/period.ts'
import { compareEvaluations } from '#web/map-page/by-shape/compare/compare-evaluations.ts'
import type { Comparison } from '#web/map-page/by-shape/compare/comparison.ts'
import type { Evaluation } from '#web/map-page/by-shape/evaluation.ts'
import { comparedPeriod } from '#web/filters/comparison.ts'
import type { Painting } from '#web/map-page/by-shape/painting.ts'
import type { Period } from '#web/filters/period.ts'
import type { ShownMap } from '#web/map-page/by-shape/shown-map.ts'
import { Playback } from '#web/map-page/time/playback.ts'
import { usePlayHead } from '#web/map-page/time/use-play-head.ts'
import { useStatesPlaying } from '#web/map-page/time/use-playback.ts'
import { usePainting } from '#web/map-page/by-shape/use-painting.ts'
import { dataColors, type Scheme } from '#web/kit/theme.ts'
import type { IssuesSearch } from './issues-search.ts'
import { type ShapeRow, toShapeRows, toShapesEvaluation, getMeasureUnit } from './shape-rows.ts'
import type { useIssues } from './use-issues.ts'

interface ShapeMapInput {
  search: IssuesSearch
  issues: Pick<
    ReturnType<typeof useIssues>,
    'layers' | 'layer' | 'shapes' | 'byShape' | 'byDay' | 'before' | 'question'
  >
  adjust: (changes: { at: string | undefined }) => void
  scheme: Scheme
}

const countDays = ({ start_date, end_date }: Period): number =>
  dayNumber(end_date) - dayNumber(start_date) + 1

/** Returns issues by shape for a map of values, by day or compared; no rows for a map of points. */
export function useShapeMap({
  search,
  issues: { layers, layer, shapes, byShape, byDay, before, question },
  adjust,
  scheme,
}: ShapeMapInput): { rows: readonly ShapeRow[]; map: ShownMap; painting: Painting } {
  const { measure = 'count', colors = 'tide', compare_start_date, compare_end_date } = search
  const rows = useMemo(
    () => (byShape && shapes ? toShapeRows(byShape, shapes, measure) : []),
    [byShape, shapes, measure],
  )
  const days = countDays(question)
  const current = useMemo(
    () => (byShape && shapes ? toShapesEvaluation(byShape, rows, measure, days) : null),
    [byShape, shapes, rows, measure, days],
  )
  const changeKind = search.percent ? 'percent' : 'change'
  const kind = search.side_by_side ? 'side' : changeKind
  const comparison = useMemo((): Comparison | null => {
    const period = comparedPeriod({ compare_start_date, compare_end_date })
    const toEvaluation = (issues: IssuesByShape, days: number): Evaluation =>
      toShapesEvaluation(issues, toShapeRows(issues, shapes ?? [], measure), measure, days)
    return before && shapes && period
      ? { before: toEvaluation(before, countDays(period)), period, kind }
      : null
  }, [before, shapes, measure, compare_start_date, compare_end_date, kind])
  const evaluation = useMemo(
    () => (current && comparison ? compareEvaluations(current, comparison.before) : current),
    [current, comparison],
  )
  const playback = useMemo(
    () =>
      byDay && shapes && current
        ? new Playback({
            response: { ...byDay, buckets: byDay.days, unit: getMeasureUnit(measure), from: 'facts' },
            by: 'day',
            overall: current,
            shapes,
            isMetric: true,
          })
        : null,
    [byDay, shapes, current, measure],
  )
  const playing = useStatesPlaying(usePlayHead(playback, search.at, adjust))
  const map = useMemo(
    (): ShownMap => ({ mode: null, layers, layer, shapes, evaluation, comparison, playing }),
    [layers, layer, shapes, evaluation, comparison, playing],
  )
  return {
    rows,
    map,
    painting: usePainting(map, evaluation, dataColors[scheme].sequential[colors], scheme).now,
  }
}
