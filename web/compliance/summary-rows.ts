import type { ComplianceStatus, ComplianceSummary, OperatorCompliance } from '#contract/compliance.ts'
import type { PolicyStatus } from '#contract/policy.ts'
import type { ComplianceSearch } from './compliance-search.ts'

/** One operator's compliance with one policy. */
export interface SummaryRow {
  key: string
  constantId: string
  policyName: string
  policyType: string
  policyStatus: PolicyStatus
  isDeleted: boolean
  operator: string
  operatorName: string
  current: OperatorCompliance
  /** The days before; null if they were not requested, or if the policy was not in force then. */
  before: OperatorCompliance | null
}

/** Returns the rows of the summary, one per policy and operator. */
export function summaryRows(
  data: readonly ComplianceSummary[],
  before: readonly ComplianceSummary[] | null,
  operatorName: (slug: string) => string,
): SummaryRow[] {
  const earlier = new Map(
    (before ?? []).map((policy) => [policy.constant_policy_uuid, policy.complianceData]),
  )
  return data.flatMap(
    ({
      constant_policy_uuid: constantId,
      policyName,
      policyType,
      status,
      is_deleted: isDeleted,
      complianceData,
    }) =>
      Object.entries(complianceData).map(([operator, current]) => ({
        key: `${constantId} ${operator}`,
        constantId,
        policyName,
        policyType,
        policyStatus: status,
        isDeleted,
        operator,
        operatorName: operatorName(operator),
        current,
        before: earlier.get(constantId)?.[operator] ?? null,
      })),
  )
}

/** Returns the rows that match the filters. */
export function filterRows(
  rows: readonly SummaryRow[],
  {
    search: text = '',
    types,
    operators,
    statuses,
  }: Pick<ComplianceSearch, 'search' | 'types' | 'operators' | 'statuses'>,
): SummaryRow[] {
  const searched = text.toLocaleLowerCase()
  return rows.filter(
    ({ policyName, policyType, operator, current }) =>
      policyName.toLocaleLowerCase().includes(searched) &&
      (types?.includes(policyType) ?? true) &&
      (operators?.includes(operator) ?? true) &&
      (statuses?.includes(current.status) ?? true),
  )
}

/** Number of rows by status. */
export const countStatuses = (rows: readonly SummaryRow[]): Record<ComplianceStatus, number> => ({
  compliant: rows.filter(({ current }) => current.status === 'compliant').length,
  non_compliant: rows.filter(({ current }) => current.status === 'non_compliant').length,
  not_applicable: rows.filter(({ current }) => current.status === 'not_applicable').length,
})
