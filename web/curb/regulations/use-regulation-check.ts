import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { z } from 'zod'
import { lintCurbPolicy } from '#contract/curb-regulations.ts'
import { useEndpointQuery } from '#web/data/query.ts'
import type { RegulationDraft } from './regulation-draft.ts'

/** Pause in typing before findings are requested. */
const checkPauseMs = 400

export type RegulationCheck = z.output<(typeof lintCurbPolicy)['response']>

/** Returns the findings of a draft and the precedence of other regulations; undefined at first. */
export function useRegulationCheck(
  regionId: string,
  { policy, zoneIds }: RegulationDraft,
  id: string | null,
): RegulationCheck | undefined {
  // A new object at each render would restart the debounce forever.
  const body = useMemo(
    () => ({ curb_policy_id: id, policy, curb_zone_ids: [...zoneIds] }),
    [id, policy, zoneIds],
  )
  const [debouncedBody] = useDebouncedValue(body, checkPauseMs)
  return useEndpointQuery(
    lintCurbPolicy,
    { params: { region_id: regionId }, body: debouncedBody },
    { placeholderData: keepPreviousData, staleTime: 0 },
  ).data
}
