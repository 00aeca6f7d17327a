import type { TFunction } from 'i18next'
import { createElement } from 'react'
import type { MeasureKey, MetricsResponse } from '#contract/metrics.ts'
import { comparedPeriod, toComparison } from '#web/filters/comparison.ts'
import { formatPeriod } from '#web/filters/period.ts'
import { formatDateTime, formatPercent } from '#web/kit/format.ts'
import type { Metric } from '#web/kit/metric-tile.tsx'
import { measureFormat, operatorName } from './measure-format.ts'
import { RecordsLink } from './records-link.tsx'
import type { ReportContext, ReportSearch } from './report-search.ts'

interface TileMeasure {
  /** The requested measures, in the order of the response. */
  measures: readonly MeasureKey[]
  response: MetricsResponse
  measure: MeasureKey
}

/** Returns a tile of a measure with its total, the compared period and its series. */
export function measureTile(
  context: ReportContext,
  search: ReportSearch,
  { measures, response, measure }: TileMeasure,
  t: TFunction,
): Metric {
  const index = measures.indexOf(measure)
  const { unit, scale, format } = measureFormat(measure, context.region.isMetric, t)
  const toScaled = (value: number | null | undefined): number | null => (value == null ? null : scale(value))
  const compared = comparedPeriod(search)
  return {
    label: t(`reporting:measure.${measure}.name`),
    value: toScaled(response.period.totals[index]),
    format,
    unit,
    definition: t(`reporting:measure.${measure}.definition`),
    history: response.period.rows.map(({ values }) => toScaled(values[index])),
    missingReason: t('reporting:missing'),
    more: createElement(RecordsLink, { measure }),
    ...(response.comparison && compared
      ? {
          comparisons: [
            toComparison({
              key: 'compared',
              value: toScaled(response.comparison.totals[index]),
              period: response.period,
              compared,
              firstDay: response.first_day,
              getName: (days) => formatPeriod(days, context.language),
            }),
          ],
        }
      : {}),
  }
}

/** Coverage from 99.5 % on counts as complete, because `formatPercent` would show it as 100 %. */
const fullCoverage = 0.995

/** Formats a line about the data: region, days, newest fact, missing hours of feeds, pending days. */
export function reportFreshness(
  { region, operators, language }: ReportContext,
  { period, newest_fact: newest, coverage, pending_days: pending, without_fleet: fleetless }: MetricsResponse,
  t: TFunction,
): string {
  const gaps = coverage.filter(({ share }) => share !== null && share < fullCoverage)
  return [
    region.text,
    formatPeriod(period, language),
    newest === null
      ? t('reporting:freshness.none')
      : t('reporting:freshness.newest', { time: formatDateTime(newest, region.timezone) }),
    ...(gaps.length
      ? [
          t('reporting:freshness.gaps', {
            operators: gaps
              .map(({ operator, share }) => `${operatorName(operators, operator)} ${formatPercent(share)}`)
              .join(', '),
          }),
        ]
      : []),
    ...(fleetless.length
      ? [
          t('reporting:freshness.withoutFleet', {
            operators: fleetless.map(({ operator }) => operatorName(operators, operator)).join(', '),
          }),
        ]
      : []),
    ...(pending > 0 ? [t('reporting:freshness.pending', { count: pending })] : []),
  ].join(' · ')
}
