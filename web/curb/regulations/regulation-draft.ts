import type { CdsPolicyContent, CdsRate, CdsRule, CdsTimeSpan } from '#contract/cds.ts'
import { civilClock } from '#contract/civil-clock.ts'
import type { RegulationDetail } from '#contract/curb-regulations.ts'
import { dayNumber, type LocalDay } from '#contract/period.ts'
import { isSameValue } from '#web/kit/same-value.ts'
import { formatLocalDay } from '../rule-text.ts'

/** A regulation that is being edited. */
export interface RegulationDraft {
  policy: CdsPolicyContent
  zoneIds: readonly string[]
}

/** Default priority: in the band of general rules. */
const defaultPriority = 90
/** Leaves space for ` (copy)` in a name of at most 500 characters. */
const maxCopiedName = 490
export const newRule: CdsRule = { activity: 'parking' }
/** Returns the draft of a new regulation. */
export const newDraft = (): RegulationDraft => ({
  policy: { name: '', priority: defaultPriority, rules: [newRule] },
  zoneIds: [],
})

/** Returns the editable part of a stored regulation. */
export const toDraft = ({ policy, curb_zone_ids: zoneIds }: RegulationDetail): RegulationDraft => ({
  policy,
  zoneIds,
})

/** Returns the fields of a copy, which has no zones yet. */
export const toCopy = ({ policy }: RegulationDetail): RegulationDraft => ({
  policy: { ...policy, name: `${(policy.name ?? '').slice(0, maxCopiedName)} (copy)` },
  zoneIds: [],
})

/** Returns the object with a field set, or without the field if the value is empty. */
export function withField<T extends object>(object: T, field: string, value: unknown): T {
  const isEmpty =
    value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0)
  const { [field]: _previous, ...otherFields } = object as Record<string, unknown>
  return (isEmpty ? otherFields : { ...otherFields, [field]: value }) as T
}

/** Returns the next rate: it starts where the last one ends, with the same unit. */
export function nextRate(rates: readonly CdsRate[]): CdsRate {
  const last = rates.at(-1)
  return {
    rate: 0,
    rate_unit: last?.rate_unit ?? 'hour',
    ...(last?.end_duration === undefined ? {} : { start_duration: last.end_duration }),
  }
}

/** Returns the first and last local day of a span; its end is exclusive. Null if it has no start or end. */
export const getSpanDays = (
  { start_date: start, end_date: end }: CdsTimeSpan,
  timezone: string,
): { from: LocalDay | null; to: LocalDay | null } => ({
  from: start === undefined ? null : formatLocalDay(start, timezone),
  to: end === undefined ? null : formatLocalDay(end - 1, timezone),
})

/** Returns the instant (ms) of midnight at the start of a local day, or `daysLater` days later. */
export const getMidnight = (day: LocalDay | null, timezone: string, daysLater = 0): number | undefined =>
  day === null ? undefined : civilClock(timezone).instant(dayNumber(day) + daysLater, 0).ms

/** Parts of a regulation in which two editors can conflict. */
export const draftFields = ['name', 'description', 'priority', 'rules', 'time_spans', 'zones'] as const
export type DraftField = (typeof draftFields)[number]
/** Returns the value of a field, for comparisons; zones are sorted. */
export const readField = ({ policy, zoneIds }: RegulationDraft, field: DraftField): unknown =>
  field === 'zones' ? zoneIds.toSorted() : (policy[field] ?? null)

/** Tests whether the draft differs from the regulation at the start of editing. */
export const isChanged = (start: RegulationDraft, draft: RegulationDraft): boolean =>
  draftFields.some((field) => !isSameValue(readField(start, field), readField(draft, field)))

/** A field that another editor changed to a different value. `isBoth`: this user changed it, too. */
export interface DraftConflict {
  field: DraftField
  isBoth: boolean
}
/** Finds the fields that another editor changed to a value that differs from this user's. */
export const findConflicts = (
  base: RegulationDraft,
  mine: RegulationDraft,
  theirs: RegulationDraft,
): DraftConflict[] =>
  draftFields
    .filter(
      (field) =>
        !isSameValue(readField(base, field), readField(theirs, field)) &&
        !isSameValue(readField(mine, field), readField(theirs, field)),
    )
    .map((field) => ({ field, isBoth: !isSameValue(readField(base, field), readField(mine, field)) }))

/** Returns the user's draft with the selected fields of the other version. */
export function mergeDrafts(
  mine: RegulationDraft,
  theirs: RegulationDraft,
  fields: readonly DraftField[],
): RegulationDraft {
  const policy = fields
    .filter((field) => field !== 'zones')
    .reduce((merged, field) => withField(merged, field, theirs.policy[field]), mine.policy)
  return { policy, zoneIds: fields.includes('zones') ? theirs.zoneIds : mine.zoneIds }
}
