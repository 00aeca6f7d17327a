import { keepPreviousData } from '@tanstack/react-query'
import { useMemo } from 'react'
import { getComplianceForPolicy, listComplianceFacts } from '#contract/compliance.ts'
import type { LocalDay } from '#contract/period.ts'
import { useEndpointQuery } from '#web/data/query.ts'
import type { Period } from '#web/filters/period.ts'
import { tallyRecords } from '#web/policies/results/tally-records.ts'
import type { DetailSearch } from '../compliance-search.ts'

/** Maximum number of points on the map. */
const maxPoints = 2000

interface ComplianceInput {
  regionId: string
  /** Id of any revision of the policy. */
  policyId: string
  period: Period
  search: DetailSearch
}

/** Returns the records of a policy, their totals, and the facts of the selection. */
export function usePolicyCompliance({ regionId, policyId, period, search }: ComplianceInput) {
  const { operators = [], operator, date, shape, uncertain, page = 1, size: pageSize = 50 } = search
  const records = useEndpointQuery(
    getComplianceForPolicy,
    { body: { policy_uuid: policyId, ...period, operators, detail: true } },
    { placeholderData: keepPreviousData },
  )
  const tallies = useMemo(() => tallyRecords(records.data ?? []), [records.data])
  const days = useMemo(
    (): LocalDay[] => [...new Set((records.data ?? []).map((record) => record.date))].toSorted(),
    [records.data],
  )
  const selected = operator !== undefined && date !== undefined ? { operator, date } : null
  const selection = selected
    ? { start_date: selected.date, end_date: selected.date, operators: [selected.operator] }
    : { ...period, operators }
  const createRequest = (onlyViolations: boolean, size: number, page: number) => ({
    params: { region_id: regionId },
    body: {
      policy_uuid: policyId,
      ...selection,
      shape_uuids: shape ? [shape] : [],
      only_violations: onlyViolations,
      size,
      page,
    },
  })
  const facts = useEndpointQuery(listComplianceFacts, createRequest(!uncertain, pageSize, page), {
    placeholderData: keepPreviousData,
  })
  // Users who may not list facts may not see the points either.
  const points = useEndpointQuery(listComplianceFacts, createRequest(!uncertain, maxPoints, 1), {
    placeholderData: keepPreviousData,
    enabled: facts.data !== undefined,
  })
  const selectedRecords = useMemo(
    () =>
      (records.data ?? []).filter(
        (record) =>
          operator === undefined ||
          date === undefined ||
          (record.operator === operator && record.date === date),
      ),
    [records.data, operator, date],
  )
  return { records, tallies, days, selected, facts, points, selectedRecords }
}
