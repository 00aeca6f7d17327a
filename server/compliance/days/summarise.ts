import {
  type ComplianceRecord,
  type ComplianceStatus,
  countTypeOf,
  type OperatorCompliance,
} from '#contract/compliance.ts'
import type { LocalDay } from '#contract/period.ts'

/** What several records together are: one that breaks the rule is enough; one that cannot be judged keeps the others' word. */
const together = (statuses: readonly ComplianceStatus[]): ComplianceStatus =>
  statuses.includes('non_compliant')
    ? 'non_compliant'
    : statuses.includes('compliant')
      ? 'compliant'
      : 'not_applicable'

/** Records of one policy by operator (1-product, section 3: Compliance summary per policy). */
export function summarise(records: readonly ComplianceRecord[]): Record<string, OperatorCompliance> {
  const byOperator = new Map<string, Map<LocalDay, ComplianceRecord[]>>()
  for (const record of records) {
    const days = byOperator.get(record.operator) ?? new Map<LocalDay, ComplianceRecord[]>()
    days.set(record.date, [...(days.get(record.date) ?? []), record])
    byOperator.set(record.operator, days)
  }
  return Object.fromEntries(
    [...byOperator].map(([operator, byDay]): [string, OperatorCompliance] => {
      const days = [...byDay].map(([date, of]) => {
        const broken = of.filter(({ status }) => status === 'non_compliant')
        return {
          date,
          status: together(of.map(({ status }) => status)),
          violations: broken.reduce((sum, { violations }) => sum + violations, 0),
          uncertain: of.reduce((sum, { uncertain }) => sum + uncertain, 0),
        }
      })
      const measure = [...byDay.values()][0]?.[0]?.measure ?? 'vehicles'
      const count = (status: ComplianceStatus): number => days.filter((day) => day.status === status).length
      return [
        operator,
        {
          status: together(days.map(({ status }) => status)),
          daysCount: count('non_compliant'),
          violationCount: days.reduce((sum, { violations }) => sum + violations, 0),
          violationType: measure,
          countType: countTypeOf[measure],
          uncertainCount: days.reduce((sum, { uncertain }) => sum + uncertain, 0),
          compliantDays: count('compliant'),
          notApplicableDays: count('not_applicable'),
          days: days.map(({ date, status, violations }) => ({ date, status, violations })),
        },
      ]
    }),
  )
}
