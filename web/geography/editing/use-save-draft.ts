import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { z } from 'zod'
import type { Note } from '#contract/boundary-files.ts'
import { getShape, getShapeHistory, listLayers, listShapes, type Layer } from '#contract/geography.ts'
import { BatchRefusal, listShapeRows, type Dependent } from '#contract/geography-use.ts'
import { changeShapes, type ShapeChanges } from '#contract/geography-history.ts'
import type { ApiError } from '#web/data/api-error.ts'
import { call } from '#web/data/client.ts'
import { endpointQueryKey } from '#web/data/query.ts'
import { toConflicts } from '../draft/conflicts.ts'
import { type Draft, findChangedParts, type DraftShape } from '../draft/draft.ts'
import type { EditAction } from './edit-state.ts'

/** The request, and the ids of the shapes by their positions in its lists. */
interface Batch {
  body: z.input<typeof ShapeChanges>
  ids: { created: string[]; changed: string[]; deleted: string[] }
}

/** Returns the request that saves a draft atomically. Of a changed shape, only the differences are sent. */
export function toBatch(draft: Draft, confirm = false): Batch {
  const shapes = [...draft.values()]
  const created = shapes.filter(({ base, now }) => base === null && now !== null)
  const changed = shapes.filter(({ base, now }) => base !== null && now !== null)
  const deleted = shapes.filter(({ base, now }) => base !== null && now === null)
  const identify = ({ id, base }: DraftShape) => ({ shape_uuid: id, if_modified_time: base!.modified_time })
  return {
    body: {
      created: created.map(({ now }) => ({
        shape_name: now!.name,
        shape_description: now!.description,
        geom: now!.geom,
      })),
      changed: changed.map((shape) => {
        const now = shape.now!
        const parts = findChangedParts(shape.base!, now)
        return {
          ...identify(shape),
          ...(parts.includes('name') ? { shape_name: now.name } : {}),
          ...(parts.includes('description') ? { shape_description: now.description } : {}),
          ...(parts.includes('geometry') ? { geom: now.geom } : {}),
        }
      }),
      deleted: deleted.map(identify),
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
  /** A failure other than conflicts and dependents, which are shown elsewhere. */
  error: ApiError | null
  /** The server's errors of single shapes, by id. */
  faults: ReadonlyMap<string, string>
  /** Repairs that the last save made. */
  notes: readonly Note[] | null
  /** Dependents of shapes to be deleted; not empty while a confirmation is needed. */
  dependents: readonly Dependent[]
  clear: () => void
}

const noFaults: ReadonlyMap<string, string> = new Map()

/** Saves a draft as one batch. A conflict is dispatched to the session. */
export function useSaveDraft(layer: Layer, dispatch: (action: EditAction) => void): Saving {
  const client = useQueryClient()
  const [dependents, setDependents] = useState<readonly Dependent[]>([])
  const [notes, setNotes] = useState<readonly Note[] | null>(null)
  const saving = useMutation<unknown, ApiError, { draft: Draft; batch: Batch }>({
    mutationFn: async ({ draft, batch }) => {
      const response = await call(changeShapes, {
        params: { region_id: layer.region_id, shape_layer_uuid: layer.shape_layer_uuid },
        body: batch.body,
      })
      await Promise.all(
        [listLayers, listShapes, listShapeRows, getShape, getShapeHistory].map((endpoint) =>
          client.invalidateQueries({ queryKey: endpointQueryKey(endpoint) }),
        ),
      )
      setNotes(response.notes)
      setDependents([])
      dispatch({
        type: 'saved',
        draft,
        shapes: [...response.created, ...response.changed],
        ids: new Map(batch.ids.created.map((id, index) => [id, response.created[index]?.shape_uuid ?? id])),
      })
    },
    onError: (error, { draft }) => {
      const errorResponse = BatchRefusal.safeParse(error.problem?.current)
      if (error.status !== 409 || !errorResponse.success) return
      if ('conflicts' in errorResponse.data)
        dispatch({ type: 'conflicts', conflicts: toConflicts(draft, errorResponse.data) })
      else setDependents(errorResponse.data.dependents)
    },
  })
  const isShownElsewhere =
    saving.error?.status === 409 && BatchRefusal.safeParse(saving.error.problem?.current).success
  return {
    save: (draft, confirm = false) => {
      setNotes(null)
      saving.mutate({ draft, batch: toBatch(draft, confirm) })
    },
    isPending: saving.isPending,
    error: isShownElsewhere ? null : saving.error,
    faults:
      saving.error && !isShownElsewhere ? faultsByShape(saving.error, saving.variables.batch) : noFaults,
    notes,
    dependents,
    clear: () => {
      setDependents([])
      saving.reset()
    },
  }
}

/** Maps paths of the request such as `body.changed.0` to the ids of the shapes. */
function faultsByShape(error: ApiError, { ids }: Batch): ReadonlyMap<string, string> {
  return new Map(
    (error.problem?.issues ?? []).flatMap(({ path, message }): [string, string][] => {
      const [, list, position] = /^body\.(created|changed|deleted)\.(\d+)/.exec(path) ?? []
      const id = list === undefined ? undefined : ids[list as keyof Batch['ids']][Number(position)]
      return id === undefined ? [] : [[id, message]]
    }),
  )
}
