import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData } from '@tanstack/react-query'
import { useMemo } from 'react'
import { listComplianceFacts, tryPolicy } from '#contract/compliance.ts'
import type { PolicyFields } from '#contract/policy.ts'
import { useEndpointQuery } from '#web/data/query.ts'
import type { Period } from '#web/filters/period.ts'
import { isBounded } from '../measured-text.ts'
import { askedPolicy } from './asked-policy.ts'
import type { OtherRevision } from './other-revision.ts'

/** What is typed is asked for once it has rested so long, ms. */
const restMs = 450
/** Facts that are shown one by one, at most. */
const mostFacts = 5000

interface Given {
  regionId: string
  policy: PolicyFields
  period: Period
  /** What it is compared with; null: nothing. */
  other: OtherRevision | null
  isReady: boolean
}

/** What the policy as it stands would have found, asked anew whenever it has changed; what was found before stays meanwhile. */
export function useTryOut({ regionId, policy, period, other, isReady }: Given) {
  // Compared as text: a form makes new objects of the same values.
  const text = JSON.stringify(askedPolicy(policy))
  const [rested] = useDebouncedValue(text, restMs)
  const asked = useMemo(() => JSON.parse(rested) as PolicyFields, [rested])
  const isAsked = isReady && rested === text
  const [publishedId, saved] = [
    other && 'published' in other ? other.published : null,
    other && 'saved' in other ? other.saved : null,
  ]
  const params = { region_id: regionId }
  const ask = (of: PolicyFields, compareWith: string | null) => ({
    params,
    body: { policy: of, ...period, operators: [], compare_with: compareWith },
  })
  const kept = { placeholderData: keepPreviousData, staleTime: 60_000 }
  const answer = useEndpointQuery(tryPolicy, ask(asked, publishedId), { ...kept, enabled: isAsked })
  // The server knows the past of what was published; what was only saved is tried like a draft.
  const before = useEndpointQuery(tryPolicy, ask(askedPolicy(saved ?? policy), null), {
    ...kept,
    enabled: isReady && saved !== null,
  })
  const compared =
    publishedId !== null
      ? (answer.data?.compared ?? null)
      : saved !== null
        ? (before.data?.records ?? null)
        : null
  const measure = answer.data?.records[0]?.measure
  // Of a fleet that is counted no vehicle breaks the rule by itself.
  const hasFacts = measure !== undefined && (!isBounded(measure) || measure === 'drop_offs')
  const facts = useEndpointQuery(
    listComplianceFacts,
    {
      params,
      body: {
        policy: asked,
        ...period,
        operators: [],
        shape_uuids: [],
        only_violations: true,
        page: 1,
        size: mostFacts,
      },
    },
    { ...kept, enabled: isAsked && hasFacts && !answer.isPlaceholderData },
  )
  const isStale =
    rested !== text || answer.isPlaceholderData || (answer.isFetching && answer.data !== undefined)
  return {
    answer,
    compared,
    facts: hasFacts && facts.data && !facts.error ? facts.data : null,
    isWaitingForFacts: hasFacts && facts.isFetching,
    isStale,
  }
}
