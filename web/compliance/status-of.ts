import type { ComplianceStatus } from '#contract/compliance.ts'

/** Of several: non_compliant where one is, not_applicable where none could be judged. */
export const statusOf = (statuses: readonly ComplianceStatus[]): ComplianceStatus =>
  statuses.includes('non_compliant')
    ? 'non_compliant'
    : statuses.includes('compliant')
      ? 'compliant'
      : 'not_applicable'
