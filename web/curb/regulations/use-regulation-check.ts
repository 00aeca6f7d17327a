import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { z } from 'zod'
import { lintCurbPolicy } from '#contract/curb-regulations.ts'
import { useEndpointQuery } from '#web/data/query.ts'
import type { RegulationDraft } from './regulation-draft.ts'

/** Pause in typing before findings are requested. */
const lintPauseMs = 400

export type RegulationCheck = z.output<(typeof lintCurbPolicy)['response']>

/**
 * The findings of a draft and the regulations that take precedence, as far as the draft can be checked;
 * undefined until the first response.
 */
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
  const [settled] = useDebouncedValue(body, lintPauseMs)
  return useEndpointQuery(
    lintCurbPolicy,
    { params: { region_id: regionId }, body: settled },
    { placeholderData: keepPreviousData, staleTime: 0 },
  ).data
}
