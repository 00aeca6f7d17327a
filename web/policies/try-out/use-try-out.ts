import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData } from '@tanstack/react-query'
import { useMemo } from 'react'
import { listComplianceFacts, tryPolicy } from '#contract/compliance.ts'
import type { PolicyFields } from '#contract/policy.ts'
import { useEndpointQuery } from '#web/data/query.ts'
import type { Period } from '#web/filters/period.ts'
import { isBounded } from '../results/measured-text.ts'
import { triedPolicy } from './tried-policy.ts'
import type { OtherRevision } from './other-revision.ts'

/** Pause after the last change before a request, in ms. */
const debounceMs = 450
/** Maximum number of facts on the map. */
const maxFacts = 5000

interface TryOutInput {
  regionId: string
  policy: PolicyFields
  period: Period
  /** The revision to compare with; null if there is none. */
  other: OtherRevision | null
  isReady: boolean
}

/**
 * The results of the policy in the form for past days, requested after each change. The previous result is
 * shown meanwhile.
 */
export function useTryOut({ regionId, policy, period, other, isReady }: TryOutInput) {
  // Compared as JSON, because the form creates new objects with equal values.
  const text = JSON.stringify(triedPolicy(policy))
  const [debounced] = useDebouncedValue(text, debounceMs)
  const tried = useMemo(() => JSON.parse(debounced) as PolicyFields, [debounced])
  const isCurrent = isReady && debounced === text
  const [publishedId, saved] = [
    other && 'published' in other ? other.published : null,
    other && 'saved' in other ? other.saved : null,
  ]
  const params = { region_id: regionId }
  const requestFor = (tried: PolicyFields, compareWith: string | null) => ({
    params,
    body: { policy: tried, ...period, operators: [], compare_with: compareWith },
  })
  const options = { placeholderData: keepPreviousData, staleTime: 60_000 }
  const result = useEndpointQuery(tryPolicy, requestFor(tried, publishedId), {
    ...options,
    enabled: isCurrent,
  })
  // The server knows the past results of published revisions; a saved one is computed like a draft.
  const before = useEndpointQuery(tryPolicy, requestFor(triedPolicy(saved ?? policy), null), {
    ...options,
    enabled: isReady && saved !== null,
  })
  const compared =
    publishedId !== null
      ? (result.data?.compared ?? null)
      : saved !== null
        ? (before.data?.records ?? null)
        : null
  const measure = result.data?.records[0]?.measure
  // A rule that counts vehicles has no facts, because no single vehicle violates it.
  const hasFacts = measure !== undefined && (!isBounded(measure) || measure === 'drop_offs')
  const facts = useEndpointQuery(
    listComplianceFacts,
    {
      params,
      body: {
        policy: tried,
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
    debounced !== text || result.isPlaceholderData || (result.isFetching && result.data !== undefined)
  return {
    result,
    compared,
    facts: hasFacts && facts.data && !facts.error ? facts.data : null,
    isWaitingForFacts: hasFacts && facts.isFetching,
    isStale,
  }
}
