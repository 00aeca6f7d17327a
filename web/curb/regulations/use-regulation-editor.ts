import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import {
  lintCurbPolicy,
  RegulationDetail,
  type RegulationFinding,
  saveCurbPolicy,
} from '#contract/curb-regulations.ts'
import type { ApiError } from '#web/data/api-error.ts'
import { useEndpointMutation } from '#web/data/use-endpoint-mutation.ts'
import { useEndpointQuery } from '#web/data/query.ts'
import type { RegulationDraft } from './regulation-draft.ts'
import { regulationQueries } from './regulation-dialog.tsx'

/** Findings are requested once typing pauses. */
const lintPauseMs = 400

/** What is wrong with a draft, as far as it can be checked; undefined until the first answer. */
export function useFindings(
  regionId: string,
  { policy, zoneIds }: RegulationDraft,
  saved: RegulationDetail | null,
): { findings: readonly RegulationFinding[]; is_complete: boolean } | undefined {
  const id = saved?.id ?? null
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

/** Why the last attempt to save failed. `theirs`: what another editor saved; null if they deleted it. */
export type SaveFault =
  | { kind: 'conflict'; theirs: RegulationDetail | null }
  | { kind: 'refused'; error: ApiError }
  | null

function faultOf(error: ApiError): SaveFault {
  const { problem } = error
  if (error.status !== 409 || !problem || !('current' in problem)) return { kind: 'refused', error }
  if (problem.current === null) return { kind: 'conflict', theirs: null }
  const theirs = RegulationDetail.safeParse(problem.current).data
  return theirs ? { kind: 'conflict', theirs } : { kind: 'refused', error }
}

/** Saves a regulation over the version that was read or, after a conflict, over that of the other editor. */
export function useSaveRegulation(
  regionId: string,
  saved: RegulationDetail | null,
  onSaved: (regulation: RegulationDetail) => void,
) {
  const [fault, setFault] = useState<SaveFault>(null)
  const saving = useEndpointMutation(saveCurbPolicy, regulationQueries)
  const save = (draft: RegulationDraft, over: RegulationDetail | null = saved): void =>
    saving.mutate(
      {
        params: { region_id: regionId },
        body: {
          policy: draft.policy,
          curb_zone_ids: [...draft.zoneIds],
          // By its regulation: a draft may have been discarded or published since.
          ...(over ? { curb_policy_id: over.regulation_id, if_modified_time: over.modified_time } : {}),
        },
      },
      { onSuccess: onSaved, onError: (error) => setFault(faultOf(error)) },
    )
  return { save, isPending: saving.isPending, fault, clear: () => setFault(null) }
}
