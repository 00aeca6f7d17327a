import type { ShapeConflicts } from '#contract/geography-history.ts'
import { readShape, type ReadableShape } from '../read-shape.ts'
import type { KnownShape, ShapeEdits } from './shape-edit.ts'

type Conflict = ShapeConflicts['conflicts'][number]

const isUnchanged = ({ if_modified_time: expectedTime }: KnownShape, row: ReadableShape): boolean =>
  expectedTime === undefined || Date.parse(expectedTime) === row.modified_time.getTime()

/** Finds edits of shapes that others have changed or deleted since the user loaded them. */
export function findConflicts(
  { changed, deleted }: Pick<ShapeEdits, 'changed' | 'deleted'>,
  rows: ReadonlyMap<string, ReadableShape>,
): Conflict[] {
  const findInList = (list: Conflict['list'], edits: readonly KnownShape[]): Conflict[] =>
    edits.flatMap((edit, position) => {
      const row = rows.get(edit.shape_uuid)
      if (row && isUnchanged(edit, row)) return []
      return [{ list, position, shape_uuid: edit.shape_uuid, current: row ? readShape(row) : null }]
    })
  return [...findInList('changed', changed), ...findInList('deleted', deleted)]
}

/** Returns the message for a conflict, which names the other user if known. */
export function describeConflict({ current }: Pick<Conflict, 'current'>): string {
  if (!current) return 'The shape was deleted meanwhile, or is of another layer.'
  return `“${current.shape_name}” was changed by ${current.modified_by ?? 'the server'} at ${current.modified_time}, after you began. Choose between the two.`
}
