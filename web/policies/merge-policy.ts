import { PolicyFields } from '#contract/policy.ts'
import { sameValue } from '#web/kit/same-value.ts'

export type Side = 'mine' | 'theirs'

/** A field that somebody else changed while it was edited here. */
export interface FieldConflict {
  field: keyof PolicyFields
  base: unknown
  mine: unknown
  theirs: unknown
  /** Whether it was changed here as well. */
  isBoth: boolean
}

const fields = Object.keys(PolicyFields.shape) as (keyof PolicyFields)[]

/** Whether what is edited differs from what it began with. */
export const isChanged = (base: PolicyFields, mine: PolicyFields): boolean =>
  fields.some((field) => !sameValue(base[field], mine[field]))

/** Field by field, what the other changed; where both came to the same there is nothing to choose. */
export const conflictsOf = (base: PolicyFields, mine: PolicyFields, theirs: PolicyFields): FieldConflict[] =>
  fields
    .filter((field) => !sameValue(base[field], theirs[field]) && !sameValue(mine[field], theirs[field]))
    .map((field) => ({
      field,
      base: base[field],
      mine: mine[field],
      theirs: theirs[field],
      isBoth: !sameValue(base[field], mine[field]),
    }))

/** What was changed here stays unless the other is chosen; what only the other changed is theirs. */
export const firstSide = ({ isBoth }: FieldConflict): Side => (isBoth ? 'mine' : 'theirs')

/** Mine, with the chosen fields of the other. */
export const mergePolicy = (
  mine: PolicyFields,
  theirs: PolicyFields,
  chosen: ReadonlyMap<string, Side>,
): PolicyFields => ({
  ...mine,
  ...Object.fromEntries(
    fields.filter((field) => chosen.get(field) === 'theirs').map((field) => [field, theirs[field]]),
  ),
})
