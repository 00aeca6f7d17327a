import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData } from '@tanstack/react-query'
import { useMemo } from 'react'
import { listComplianceFacts, tryPolicy } from '#contract/compliance.ts'
import type { PolicyFields } from '#contract/policy.ts'
import { useEndpointQuery } from '#web/data/query.ts'
import type { Period } from '#web/filters/period.ts'
import { isBounded } from '../results/measured-text.ts'
import { toTestedPolicy } from './tested-policy.ts'
import type { OtherRevision } from './other-revision.ts'

/** Pause after the last change before a request, in ms. */
const debounceMs = 450
/** Maximum number of facts on the map. */
const maxFacts = 5000

interface PolicyTestInput {
  regionId: string
  policy: PolicyFields
  period: Period
  /** The revision to compare with; null if there is none. */
  other: OtherRevision | null
  isReady: boolean
}

/** Returns the results of the policy for past days, requested after each change; until then, the previous ones. */
export function usePolicyTest({ regionId, policy, period, other, isReady }: PolicyTestInput) {
  // Compared as JSON, because the form creates new objects with equal values.
  const policyJson = JSON.stringify(toTestedPolicy(policy))
  const [debouncedJson] = useDebouncedValue(policyJson, debounceMs)
  const testedPolicy = useMemo(() => JSON.parse(debouncedJson) as PolicyFields, [debouncedJson])
  const isCurrent = isReady && debouncedJson === policyJson
  const publishedId = other && 'published' in other ? other.published : null
  const saved = other && 'saved' in other ? other.saved : null
  const params = { region_id: regionId }
  const createRequest = (requestedPolicy: PolicyFields, compareWith: string | null) => ({
    params,
    body: { policy: requestedPolicy, ...period, operators: [], compare_with: compareWith },
  })
  const options = { placeholderData: keepPreviousData, staleTime: 60_000 }
  const result = useEndpointQuery(tryPolicy, createRequest(testedPolicy, publishedId), {
    ...options,
    enabled: isCurrent,
  })
  // The server knows the past results of published revisions; a saved one is computed like a draft.
  const savedResult = useEndpointQuery(tryPolicy, createRequest(toTestedPolicy(saved ?? policy), null), {
    ...options,
    enabled: isReady && saved !== null,
  })
  const savedRecords = saved === null ? null : (savedResult.data?.records ?? null)
  const compared = publishedId === null ? savedRecords : (result.data?.compared ?? null)
  const measure = result.data?.records[0]?.measure
  // A rule that counts vehicles has no facts, because no single vehicle violates it.
  const hasFacts = measure !== undefined && (!isBounded(measure) || measure === 'drop_offs')
  const facts = useEndpointQuery(
    listComplianceFacts,
    {
      params,
      body: {
        policy: testedPolicy,
        ...period,
        operators: [],
        shape_uuids: [],
        only_violations: true,
        page: 1,
        size: maxFacts,
      },
    },
    { ...options, enabled: isCurrent && hasFacts && !result.isPlaceholderData },
  )
  const isStale =
    debouncedJson !== policyJson ||
    result.isPlaceholderData ||
    (result.isFetching && result.data !== undefined)
  return {
    result,
    compared,
    facts: hasFacts && facts.data && !facts.error ? facts.data : null,
    isWaitingForFacts: hasFacts && facts.isFetching,
    isStale,
  }
}
