import type { TFunction } from 'i18next'
import type { ComplianceRecord } from '#contract/compliance.ts'
import { formatInteger } from '#web/kit/format.ts'
import { formatMeasuredValue, formatMeasuredNumber } from '#web/policies/results/measured-text.ts'

type JudgedRecord = Pick<
  ComplianceRecord,
  | 'reason_code'
  | 'measure'
  | 'measured'
  | 'minimum'
  | 'maximum'
  | 'violations'
  | 'uncertain'
  | 'gap_hours'
  | 'provisional'
  | 'status'
  | 'counts_uncertain'
>

/** Formats the bounds as text; empty if there are none. */
function formatBounds(t: TFunction, { minimum, maximum }: Pick<JudgedRecord, 'minimum' | 'maximum'>): string {
  if (minimum !== null && maximum !== null)
    return t('compliance:bounds.between', {
      minimum: formatMeasuredNumber(minimum),
      maximum: formatMeasuredNumber(maximum),
    })
  if (minimum !== null) return t('compliance:bounds.atLeast', { minimum: formatMeasuredNumber(minimum) })
  return maximum === null ? '' : t('compliance:bounds.atMost', { maximum: formatMeasuredNumber(maximum) })
}

/** Formats the reason of a result, without notes about missing data. */
function formatMainReason(t: TFunction, record: JudgedRecord): string {
  const { reason_code: code, measure, measured, minimum, maximum, violations, gap_hours: hours } = record
  const amount = formatMeasuredValue(t, measure, measured ?? 0)
  switch (code) {
    case 'within':
      return t('compliance:reason.within', { amount, bounds: formatBounds(t, record) })
    case 'over_maximum':
      return t('compliance:reason.over_maximum', {
        amount,
        over: formatMeasuredNumber((measured ?? 0) - (maximum ?? 0)),
        maximum: formatMeasuredNumber(maximum ?? 0),
      })
    case 'under_minimum':
      return t('compliance:reason.under_minimum', {
        amount,
        under: formatMeasuredNumber((minimum ?? 0) - (measured ?? 0)),
        minimum: formatMeasuredNumber(minimum ?? 0),
      })
    case 'found':
      return t('compliance:reason.found', {
        amount: t(`compliance:measures.${measure}.amount`, {
          count: violations,
          shown: formatInteger(violations),
        }),
      })
    case 'none_found':
      return t(`compliance:measures.${measure}.none`, { defaultValue: t('compliance:reason.none_found') })
    case 'data_gap':
      return t('compliance:reason.data_gap', { count: hours, shown: formatInteger(hours) })
    case 'day_goes_on':
      return measured === null
        ? t('compliance:reason.day_goes_on')
        : t('compliance:reason.so_far', { amount })
    default:
      return t(`compliance:reason.${code}`)
  }
}

/** Why a record has its status, as translated sentences; the server's sentences are English only. */
export function formatReason(t: TFunction, record: JudgedRecord): string {
  const { status, uncertain, violations, provisional, reason_code: code } = record
  // If the region counts uncertain facts, they are included in the violations.
  const isCounted = record.counts_uncertain
  const more = [
    status === 'not_applicable' && violations > 0
      ? t('compliance:reason.foundAnyway', { count: violations, shown: formatInteger(violations) })
      : '',
    uncertain > 0
      ? t(isCounted ? 'compliance:reason.uncertainCounted' : 'compliance:reason.uncertain', {
          count: uncertain,
          shown: formatInteger(uncertain),
        })
      : '',
    provisional && code !== 'day_goes_on' ? t('compliance:reason.provisional') : '',
  ]
  return [formatMainReason(t, record), ...more.filter(Boolean)].join(' ')
}
