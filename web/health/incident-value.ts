import type { TFunction } from 'i18next'
import { type IncidentRule, incidentRules } from '#contract/incident-rules.ts'
import { formatNumber, formatWhole } from '#web/kit/format.ts'

/** The figure of an incident in its rule's unit. */
export function incidentValue(t: TFunction, rule: IncidentRule, value: number): string {
  const { unit } = incidentRules[rule]
  return unit === 'percent' || unit === 'promises'
    ? t(`health:unit.${unit}`, { shown: formatNumber(value) })
    : t(`health:unit.${unit}`, { count: Math.round(value), shown: formatWhole(value) })
}
