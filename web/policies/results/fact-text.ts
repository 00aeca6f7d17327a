import type { TFunction } from 'i18next'
import type { ComplianceFact } from '#contract/compliance.ts'
import { formatDateTime, formatNumber } from '#web/kit/format.ts'
import { formatSpan } from '#web/kit/format-duration.ts'

/** The measured duration or speed of a fact; empty for other measures. */
export const factValue = (
  t: TFunction,
  { kind, value }: Pick<ComplianceFact, 'kind' | 'value'>,
  speedUnit: string | null,
): string =>
  value === null
    ? ''
    : kind === 'segment'
      ? `${formatNumber(value)} ${speedUnit ? t(`policies:unit.${speedUnit}`) : ''}`.trim()
      : formatSpan(value * 60)

/** Start and end of a fact; an open fact has no end. */
export const factTimes = (
  t: TFunction,
  { from_time: from, until_time: until }: Pick<ComplianceFact, 'from_time' | 'until_time'>,
  zone: string,
): string =>
  until === null || until === from
    ? formatDateTime(from, zone)
    : t('compliance:facts.times', { from: formatDateTime(from, zone), until: formatDateTime(until, zone) })

/** The kind of a fact. For a measure with bounds, a single fact is never a violation. */
export const factKind = ({
  is_violation: isViolation,
  is_uncertain: isUncertain,
  kind,
}: Pick<ComplianceFact, 'is_violation' | 'is_uncertain' | 'kind'>):
  | 'violation'
  | 'uncertain'
  | 'uncertain_violation'
  | 'compliant'
  | 'counted' =>
  isUncertain
    ? isViolation
      ? 'uncertain_violation'
      : 'uncertain'
    : isViolation
      ? 'violation'
      : kind === 'interval' || kind === 'drop_off'
        ? 'counted'
        : 'compliant'
