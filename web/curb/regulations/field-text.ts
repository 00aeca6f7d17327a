import type { CdsRule, CdsTimeSpan } from '#contract/cds.ts'
import { formatInteger } from '#web/kit/format.ts'
import { formatPriority, formatCdsRule, formatTimeSpan, type TextContext } from '../rule-text.ts'

/** Formats the value of a field of a regulation, for its history and for conflicts. */
export function formatRegulationField(context: TextContext, field: string, value: unknown): string {
  const { t } = context
  if (field === 'zones' && Array.isArray(value))
    return t('curb:regulations.zones.count', { count: value.length, shown: formatInteger(value.length) })
  if (value === null || value === undefined || value === '') return t('curb:regulations.history.nothing')
  if (field === 'priority' && typeof value === 'number') return formatPriority(t, value)
  if (field === 'rules') return (value as CdsRule[]).map((rule) => formatCdsRule(context, rule)).join('; ')
  if (field === 'time_spans')
    return (value as CdsTimeSpan[]).map((span) => formatTimeSpan(context, span)).join('; ')
  return typeof value === 'string' || typeof value === 'number' ? String(value) : JSON.stringify(value)
}
