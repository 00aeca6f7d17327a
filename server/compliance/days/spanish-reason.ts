import type { ComplianceRecord } from '#contract/compliance.ts'
import { formatCount, formatNumber } from './reason-text.ts'

/** Explains a violation in Spanish, as `describeReason` does in English. Other records are not mailed. */
export function describeReasonInSpanish({
  reason_code: code,
  measure,
  measured,
  minimum,
  maximum,
  violations,
  uncertain,
  provisional,
  reason,
}: ComplianceRecord): string {
  const soFar = provisional ? ' hasta ahora' : ''
  const uncertainText = uncertain
    ? ` Entre ellos, ${uncertain} con incertidumbre: más cerca del borde que su precisión.`
    : ''
  switch (code) {
    case 'over_maximum':
      return `${formatCount(measure, measured ?? 0, 'es')}${soFar}: por encima del máximo de ${formatNumber(maximum ?? 0)}.`
    case 'under_minimum':
      return `${formatCount(measure, measured ?? 0, 'es')}: por debajo del mínimo de ${formatNumber(minimum ?? 0)}.`
    case 'found':
      return `${formatCount(measure, violations, 'es')}${soFar}.${uncertainText}`
    default:
      return reason
  }
}
