import type { TFunction } from 'i18next'
import type { HealthFigure } from '#contract/health.ts'
import { formatDuration, formatSpan } from '#web/kit/format-duration.ts'
import { formatNumber, formatInteger, type MaybeNumber, notAvailableText } from '#web/kit/format.ts'

/** A percentage; a small value is never rounded to zero. */
export const formatPercent = (t: TFunction, value: MaybeNumber): string =>
  value === null || value === undefined
    ? notAvailableText()
    : t('health:unit.percent', { shown: formatNumber(value, value < 10 ? 1 : 0) })

/** The value of a figure in its unit. */
export function valueText(t: TFunction, { figure, value }: Pick<HealthFigure, 'figure' | 'value'>): string {
  if (value === null) return notAvailableText()
  if (figure === 'freshness') return formatSpan(value * 60)
  if (figure === 'late_arrival') return formatDuration(value)
  if (figure === 'gaps') return t('health:unit.hours', { count: value, shown: formatInteger(value) })
  return figure === 'silent_vehicles' ? formatInteger(value) : formatPercent(t, value)
}

const parts = (t: TFunction, figure: HealthFigure, names: readonly string[]): string[] =>
  names.flatMap((name) => {
    const value = figure.parts[name]
    return value === null || value === undefined || value === 0
      ? []
      : [t(`health:part.${name}`, { shown: formatInteger(value) })]
  })

/** The parts that a figure is computed from, as short texts. */
export function madeOf(t: TFunction, of: HealthFigure): string[] {
  const counted = { count: formatInteger(of.count), of: formatInteger(of.of) }
  const share = of.of ? [t('health:made.share', counted)] : [t('health:made.nothing')]
  switch (of.figure) {
    case 'freshness':
      return of.value === null
        ? [t('health:made.nothing')]
        : [t('health:made.promised', { time: formatSpan((of.parts['promised'] ?? 0) * 60) })]
    case 'gaps':
      return [t('health:made.hours', counted), ...parts(t, of, ['quiet'])]
    case 'volume':
      return of.of === null ? [t('health:made.nothing')] : [t('health:made.usual', counted)]
    case 'silent_vehicles':
      return of.of === null
        ? [t('health:made.nothing')]
        : [t('health:made.vehicles', counted), ...parts(t, of, ['lost'])]
    case 'late_arrival':
      return of.value === null
        ? [t('health:made.nothing')]
        : [
            t('health:made.p95', { time: formatDuration(of.parts['p95'] ?? null) }),
            t('health:made.events', counted),
          ]
    case 'orphan_trips':
      return [
        ...share,
        ...parts(t, of, ['without_events', 'without_report', 'ends_without_start', 'without_end']),
      ]
    case 'impossible_speeds':
      return [...share, ...parts(t, of, ['trips'])]
    case 'clock_skew':
      return [...share, ...parts(t, of, ['events_ahead'])]
    case 'agreement':
      return [...share, ...parts(t, of, ['differs', 'time_differs', 'place_differs'])]
    default:
      return share
  }
}
