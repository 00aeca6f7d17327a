import { PolicyFields } from '#contract/policy.ts'
import { isSameValue } from '#web/kit/same-value.ts'

/** The user who edits, or the other user who saved meanwhile. */
export type Side = 'mine' | 'theirs'

/** A field that another user changed during editing. */
export interface FieldConflict {
  field: keyof PolicyFields
  base: unknown
  mine: unknown
  theirs: unknown
  /** Whether this user changed it, too. */
  hasBothChanged: boolean
}

const fields = Object.keys(PolicyFields.shape) as (keyof PolicyFields)[]

/** Whether the edited policy differs from the original. */
export const isChanged = (base: PolicyFields, mine: PolicyFields): boolean =>
  fields.some((field) => !isSameValue(base[field], mine[field]))

/** Finds the fields that the other user changed to a different value; equal changes need no choice. */
export const findConflicts = (
  base: PolicyFields,
  mine: PolicyFields,
  theirs: PolicyFields,
): FieldConflict[] =>
  fields
    .filter((field) => !isSameValue(base[field], theirs[field]) && !isSameValue(mine[field], theirs[field]))
    .map((field) => ({
      field,
      base: base[field],
      mine: mine[field],
      theirs: theirs[field],
      hasBothChanged: !isSameValue(base[field], mine[field]),
    }))

/** Returns the default choice: the user's own change, else the other user's. */
export const defaultSide = ({ hasBothChanged }: FieldConflict): Side => (hasBothChanged ? 'mine' : 'theirs')

/** Returns the user's fields, with the selected ones of the other user. */
export const mergePolicy = (
  mine: PolicyFields,
  theirs: PolicyFields,
  selected: ReadonlyMap<string, Side>,
): PolicyFields => ({
  ...mine,
  ...Object.fromEntries(
    fields.filter((field) => selected.get(field) === 'theirs').map((field) => [field, theirs[field]]),
  ),
})
