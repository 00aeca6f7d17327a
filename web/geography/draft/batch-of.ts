import type { z } from 'zod'
import type { ShapeChanges } from '#contract/geography-history.ts'
import { partsChanged, type Draft, type DraftShape } from './draft.ts'

/** What is sent, and which shape of the draft stands at which place of its lists. */
export interface Batch {
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
