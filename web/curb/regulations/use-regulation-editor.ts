import { useState } from 'react'
import { RegulationDetail, saveCurbPolicy } from '#contract/curb-regulations.ts'
import type { ApiError } from '#web/data/api-error.ts'
import { useEndpointMutation } from '#web/data/use-endpoint-mutation.ts'
import type { RegulationDraft } from './regulation-draft.ts'
import { regulationQueries } from './regulation-dialog.tsx'

/** Why the last save failed. `theirs`: what another editor saved; null if they deleted it. */
export type SaveFault =
  | { kind: 'conflict'; theirs: RegulationDetail | null }
  | { kind: 'refused'; error: ApiError }
  | null

function toFault(error: ApiError): SaveFault {
  const { problem } = error
  if (error.status !== 409 || !problem || !('current' in problem)) return { kind: 'refused', error }
  if (problem.current === null) return { kind: 'conflict', theirs: null }
  const theirs = RegulationDetail.safeParse(problem.current).data
  return theirs ? { kind: 'conflict', theirs } : { kind: 'refused', error }
}

/** Saves a regulation over the version that was loaded or, after a conflict, over the other one. */
export function useSaveRegulation(
  regionId: string,
  saved: RegulationDetail | null,
  onSaved: (regulation: RegulationDetail) => void,
) {
  const [fault, setFault] = useState<SaveFault>(null)
  const saving = useEndpointMutation(saveCurbPolicy, regulationQueries)
  const save = (draft: RegulationDraft, replaced: RegulationDetail | null = saved): void =>
    saving.mutate(
      {
        params: { region_id: regionId },
        body: {
          policy: draft.policy,
          curb_zone_ids: [...draft.zoneIds],
          // Addressed by the regulation: its draft may have been discarded or published meanwhile.
          ...(replaced
            ? { curb_policy_id: replaced.regulation_id, if_modified_time: replaced.modified_time }
            : {}),
        },
      },
      { onSuccess: onSaved, onError: (error) => setFault(toFault(error)) },
    )
  return { save, isPending: saving.isPending, fault, clear: () => setFault(null) }
}
