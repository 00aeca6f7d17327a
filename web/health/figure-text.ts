import type { TFunction } from 'i18next'
import type { HealthFigure } from '#contract/health.ts'
import { formatDuration, formatSpan } from '#web/kit/format-duration.ts'
import { formatNumber, formatInteger, type MaybeNumber, formatMissing } from '#web/kit/format.ts'

/** Formats a percentage; a small value is never rounded to zero. */
export const formatPercent = (t: TFunction, value: MaybeNumber): string =>
  value === null || value === undefined
    ? formatMissing()
    : t('health:unit.percent', { shown: formatNumber(value, value < 10 ? 1 : 0) })

/** Formats the value of a figure in its unit. */
export function formatFigureValue(
  t: TFunction,
  { figure, value }: Pick<HealthFigure, 'figure' | 'value'>,
): string {
  if (value === null) return formatMissing()
  if (figure === 'freshness') return formatSpan(value * 60)
  if (figure === 'late_arrival') return formatDuration(value)
  if (figure === 'gaps') return t('health:unit.hours', { count: value, shown: formatInteger(value) })
  return figure === 'silent_vehicles' ? formatInteger(value) : formatPercent(t, value)
}

/** Returns texts of those named parts of a figure that are not 0. */
const getPartTexts = (t: TFunction, figure: HealthFigure, names: readonly string[]): string[] =>
  names.flatMap((name) => {
    const value = figure.parts[name]
    return value === null || value === undefined || value === 0
      ? []
      : [t(`health:part.${name}`, { shown: formatInteger(value) })]
  })

/** Returns the parts that a figure is computed from, as short texts. */
export function getCompositionTexts(t: TFunction, figure: HealthFigure): string[] {
  const counted = { count: formatInteger(figure.count), of: formatInteger(figure.of) }
  const share = figure.of ? [t('health:made.share', counted)] : [t('health:made.nothing')]
  switch (figure.figure) {
    case 'freshness':
      return figure.value === null
        ? [t('health:made.nothing')]
        : [t('health:made.promised', { time: formatSpan((figure.parts['promised'] ?? 0) * 60) })]
    case 'gaps':
      return [t('health:made.hours', counted), ...getPartTexts(t, figure, ['quiet'])]
    case 'volume':
      return figure.of === null ? [t('health:made.nothing')] : [t('health:made.usual', counted)]
    case 'silent_vehicles':
      return figure.of === null
        ? [t('health:made.nothing')]
        : [t('health:made.vehicles', counted), ...getPartTexts(t, figure, ['lost'])]
    case 'late_arrival':
      return figure.value === null
        ? [t('health:made.nothing')]
        : [
            t('health:made.p95', { time: formatDuration(figure.parts['p95'] ?? null) }),
            t('health:made.events', counted),
          ]
    case 'orphan_trips':
      return [
        ...share,
        ...getPartTexts(t, figure, ['without_events', 'without_report', 'ends_without_start', 'without_end']),
      ]
    case 'impossible_speeds':
      return [...share, ...getPartTexts(t, figure, ['trips'])]
    case 'clock_skew':
      return [...share, ...getPartTexts(t, figure, ['events_ahead'])]
    case 'agreement':
      return [...share, ...getPartTexts(t, figure, ['differs', 'time_differs', 'place_differs'])]
    default:
      return share
  }
}
