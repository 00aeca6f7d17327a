import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData } from '@tanstack/react-query'
import { useMemo } from 'react'
import { listComplianceFacts, tryPolicy } from '#contract/compliance.ts'
import type { PolicyFields } from '#contract/policy.ts'
import { useAnswer } from '#web/data/query.ts'
import type { Period } from '#web/evaluation/period-presets.ts'
import { askedPolicy } from './asked-policy.ts'

/** What is typed is asked for once it has rested so long, ms. */
const restMs = 450
/** Facts that are shown one by one, at most. */
const mostFacts = 5000

interface Given {
  regionId: string
  policy: PolicyFields
  period: Period
  /** The revision that it is compared with; null: none. */
  compareWith: string | null
  isReady: boolean
}

/** What the policy as it stands would have found, asked anew whenever it has changed; what was found before stays meanwhile. */
export function useTryOut({ regionId, policy, period, compareWith, isReady }: Given) {
  // Compared as text: a form makes new objects of the same values.
  const text = JSON.stringify(askedPolicy(policy))
  const [rested] = useDebouncedValue(text, restMs)
  const asked = useMemo(() => JSON.parse(rested) as PolicyFields, [rested])
  const isAsked = isReady && rested === text
  const given = { params: { region_id: regionId }, body: { policy: asked, ...period, operators: [], compare_with: compareWith } }
  const answer = useAnswer(tryPolicy, given, { enabled: isAsked, placeholderData: keepPreviousData, staleTime: 60_000 })
  const facts = useAnswer(listComplianceFacts, { params: given.params, body: { policy: asked, ...period, operators: [], shape_uuids: [], only_violations: true, page: 1, size: mostFacts } }, { enabled: isAsked && answer.data !== undefined && !answer.isPlaceholderData, placeholderData: keepPreviousData, staleTime: 60_000 })
  const isStale = rested !== text || answer.isPlaceholderData || (answer.isFetching && answer.data !== undefined)
  return { answer, facts, isStale }
}
