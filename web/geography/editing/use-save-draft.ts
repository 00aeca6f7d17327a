import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import {
  getShape,
  getShapeHistory,
  listLayers,
  listShapes,
  type Layer,
  type Note,
} from '#contract/geography.ts'
import { BatchRefusal, listShapeRows, type Dependent } from '#contract/geography-use.ts'
import { changeShapes, type ShapeChanges } from '#contract/geography-history.ts'
import type { ApiError } from '#web/data/api-error.ts'
import { call } from '#web/data/client.ts'
import { endpointQueryKey } from '#web/data/query.ts'
import { conflictsOf } from '../draft/conflicts.ts'
import { type Draft, partsChanged, type DraftShape } from '../draft/draft.ts'
import type { EditAct } from './edit-state.ts'
import type { z } from 'zod'

/** The request, and the shapes of the draft by their positions in its lists. */
interface Batch {
  body: z.input<typeof ShapeChanges>
  ids: { created: string[]; changed: string[]; deleted: string[] }
}

/** A draft as the one call that saves it, all or nothing. Of a changed shape only what differs is sent. */
export function batchOf(draft: Draft, confirm = false): Batch {
  const all = [...draft.values()]
  const created = all.filter(({ base, now }) => base === null && now !== null)
  const changed = all.filter(({ base, now }) => base !== null && now !== null)
  const deleted = all.filter(({ base, now }) => base !== null && now === null)
  const known = ({ id, base }: DraftShape) => ({ shape_uuid: id, if_modified_time: base!.modified_time })
  return {
    body: {
      created: created.map(({ now }) => ({
        shape_name: now!.name,
        shape_description: now!.description,
        geom: now!.geom,
      })),
      changed: changed.map((shape) => {
        const [now, parts] = [shape.now!, partsChanged(shape.base!, shape.now!)]
        return {
          ...known(shape),
          ...(parts.includes('name') ? { shape_name: now.name } : {}),
          ...(parts.includes('description') ? { shape_description: now.description } : {}),
          ...(parts.includes('geometry') ? { geom: now.geom } : {}),
        }
      }),
      deleted: deleted.map(known),
      ...(confirm ? { confirm } : {}),
    },
    ids: {
      created: created.map(({ id }) => id),
      changed: changed.map(({ id }) => id),
      deleted: deleted.map(({ id }) => id),
    },
  }
}

interface Saving {
  save: (draft: Draft, confirm?: boolean) => void
  isPending: boolean
  /** What went wrong, but conflicts and dependents, which have their own place. */
  error: ApiError | null
  /** What the server said against single shapes. */
  faults: ReadonlyMap<string, string>
  /** What was repaired with the last save. */
  notes: readonly Note[] | null
  /** What rests on shapes that would go: asks. */
  dependents: readonly Dependent[]
  clear: () => void
}

const none: ReadonlyMap<string, string> = new Map()

/** Saves a draft as one batch; a conflict becomes an act of the session. */
export function useSaveDraft(layer: Layer, act: (act: EditAct) => void): Saving {
  const client = useQueryClient()
  const [dependents, setDependents] = useState<readonly Dependent[]>([])
  const [notes, setNotes] = useState<readonly Note[] | null>(null)
  const saving = useMutation<unknown, ApiError, { draft: Draft; batch: Batch }>({
    mutationFn: async ({ draft, batch }) => {
      const answer = await call(changeShapes, {
        params: { region_id: layer.region_id, shape_layer_uuid: layer.shape_layer_uuid },
        body: batch.body,
      })
      await Promise.all(
        [listLayers, listShapes, listShapeRows, getShape, getShapeHistory].map((each) =>
          client.invalidateQueries({ queryKey: endpointQueryKey(each) }),
        ),
      )
      setNotes(answer.notes)
      setDependents([])
      act({
        type: 'saved',
        draft,
        shapes: [...answer.created, ...answer.changed],
        ids: new Map(batch.ids.created.map((id, at) => [id, answer.created[at]?.shape_uuid ?? id])),
      })
    },
    onError: (error, { draft }) => {
      const refusal = BatchRefusal.safeParse(error.problem?.current)
      if (error.status !== 409 || !refusal.success) return
      if ('conflicts' in refusal.data) act({ type: 'conflicts', conflicts: conflictsOf(draft, refusal.data) })
      else setDependents(refusal.data.dependents)
    },
  })
  const isKnown =
    saving.error?.status === 409 && BatchRefusal.safeParse(saving.error.problem?.current).success
  return {
    save: (draft, confirm = false) => {
      setNotes(null)
      saving.mutate({ draft, batch: batchOf(draft, confirm) })
    },
    isPending: saving.isPending,
    error: isKnown ? null : saving.error,
    faults: saving.error && !isKnown ? faultsOf(saving.error, saving.variables.batch) : none,
    notes,
    dependents,
    clear: () => {
      setDependents([])
      saving.reset()
    },
  }
}

/** Places such as `body.changed.0` as the shapes that stand there. */
function faultsOf(error: ApiError, { ids }: Batch): ReadonlyMap<string, string> {
  return new Map(
    (error.problem?.issues ?? []).flatMap(({ path, message }): [string, string][] => {
      const [, list, position] = /^body\.(created|changed|deleted)\.(\d+)/.exec(path) ?? []
      const id = list === undefined ? undefined : ids[list as keyof Batch['ids']][Number(position)]
      return id === undefined ? [] : [[id, message]]
    }),
  )
}
