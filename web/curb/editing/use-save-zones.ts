import { useState } from 'react'
import {
  CurbEditConflicts,
  findCurbEditZones,
  listCurbChangeSets,
  saveCurbEdits,
} from '#contract/curb-edits.ts'
import { getCurbWeek, getCurbZone, listCurbZonesAt } from '#contract/curb-map.ts'
import { filterCurbPolicies } from '#contract/curb-regulations.ts'
import { listCurbZoneChoices, listCurbZonesWithin } from '#contract/curb-zones.ts'
import { listLayers } from '#contract/geography.ts'
import type { LocalDay } from '#contract/period.ts'
import type { ApiError } from '#web/data/api-error.ts'
import { useEndpointMutation } from '#web/data/use-endpoint-mutation.ts'
import type { EditAction } from './edit-state.ts'
import { toChangeSet, type ZoneDraft } from './zone-draft.ts'

/** Queries that a change of zones affects. */
const affectedQueries = [
  findCurbEditZones,
  listCurbChangeSets,
  getCurbWeek,
  getCurbZone,
  listCurbZonesAt,
  listCurbZoneChoices,
  listCurbZonesWithin,
  filterCurbPolicies,
  listLayers,
]

/** Returns messages by zone; a path of the request such as `body.changed.0.zone` identifies the zone. */
function toIssuesByZone(
  error: ApiError,
  ids: ReturnType<typeof toChangeSet>['ids'],
): ReadonlyMap<string, string> {
  return new Map(
    (error.problem?.issues ?? []).flatMap(({ path, message }): [string, string][] => {
      const [, list, position] = /^body\.(created|changed|ended)\.(\d+)/.exec(path) ?? []
      const id = list === undefined ? undefined : ids[list as keyof typeof ids][Number(position)]
      return id === undefined ? [] : [[id, message]]
    }),
  )
}

const noIssues: ReadonlyMap<string, string> = new Map()

/** Saves a draft as one change set. A conflict (409) is dispatched to the session and is no `error`. */
export function useSaveZones(regionId: string, dispatch: (action: EditAction) => void) {
  const [issuesByZone, setFaults] = useState(noIssues)
  const [isSaved, setIsSaved] = useState(false)
  const saving = useEndpointMutation(saveCurbEdits, affectedQueries)
  const save = (draft: ZoneDraft, note: string, day: LocalDay | null, onSaved: () => void): void => {
    const { body, ids } = toChangeSet(draft, note, day)
    setIsSaved(false)
    saving.mutate(
      { params: { region_id: regionId }, body },
      {
        onSuccess: ({ zones }) => {
          setFaults(noIssues)
          setIsSaved(true)
          onSaved()
          // The response lists created zones before changed ones, in the order of the request.
          const savedIds = [...ids.created, ...ids.changed]
          dispatch({
            type: 'saved',
            draft,
            zones,
            ended: [...ids.changed, ...ids.ended],
            ids: new Map(savedIds.map((id, index) => [id, zones[index]?.curb_zone_id ?? id])),
          })
        },
        onError: (error) => {
          const conflictResponse = CurbEditConflicts.safeParse(error.problem?.current)
          setFaults(toIssuesByZone(error, ids))
          if (error.status !== 409 || !conflictResponse.success) return
          dispatch({
            type: 'conflicts',
            conflicts: conflictResponse.data.conflicts.map(({ curb_zone_id: id, current }) => ({
              id,
              mine: draft.get(id)?.now ?? null,
              theirs: current,
            })),
          })
        },
      },
    )
  }
  const isConflict =
    saving.error?.status === 409 && CurbEditConflicts.safeParse(saving.error.problem?.current).success
  return {
    save,
    isPending: saving.isPending,
    isSaved,
    issuesByZone,
    error: isConflict ? null : saving.error,
    clear: () => saving.reset(),
  }
}
