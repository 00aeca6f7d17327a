import type { TFunction } from 'i18next'
import type { ComplianceFact } from '#contract/compliance.ts'
import { formatDateTime, formatNumber } from '#web/kit/format.ts'
import { formatSpan } from '#web/kit/format-duration.ts'

/** Formats the measured duration or speed of a fact; empty for other measures. */
export function formatFactValue(
  t: TFunction,
  { kind, value }: Pick<ComplianceFact, 'kind' | 'value'>,
  speedUnit: string | null,
): string {
  if (value === null) return ''
  if (kind !== 'segment') return formatSpan(value * 60)
  return `${formatNumber(value)} ${speedUnit ? t(`policies:unit.${speedUnit}`) : ''}`.trim()
}

/** Start and end of a fact; an open fact has no end. */
export const formatFactTimes = (
  t: TFunction,
  { from_time: from, until_time: until }: Pick<ComplianceFact, 'from_time' | 'until_time'>,
  timezone: string,
): string =>
  until === null || until === from
    ? formatDateTime(from, timezone)
    : t('compliance:facts.times', {
        from: formatDateTime(from, timezone),
        until: formatDateTime(until, timezone),
      })

type FactKind = 'violation' | 'uncertain' | 'uncertain_violation' | 'compliant' | 'counted'

/** Returns how a fact counts. For a measure with bounds, a single fact is never a violation. */
export function getFactKind({
  is_violation: isViolation,
  is_uncertain: isUncertain,
  kind,
}: Pick<ComplianceFact, 'is_violation' | 'is_uncertain' | 'kind'>): FactKind {
  if (isUncertain) return isViolation ? 'uncertain_violation' : 'uncertain'
  if (isViolation) return 'violation'
  return kind === 'interval' || kind === 'drop_off' ? 'counted' : 'compliant'
}
