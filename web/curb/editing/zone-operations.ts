import type { CurbZoneForm } from '#contract/curb-edits.ts'
import type { Position } from '#contract/place.ts'
import type { CurbAlong } from './along-street.ts'
import { joinLines, lineLength, splitLine, splitLineAt } from './curb-lines.ts'
import { type DraftZone, isNewId, nextNewId, putZone, type ZoneDraft } from './zone-draft.ts'

/** Why an action was refused. */
export type RefusalReason = 'noStreet' | 'notLine' | 'atEnd' | 'notTwo' | 'tooFarApart' | 'differentRules'
/** The draft after an action with the ids to select, or why it was refused. */
export type EditResult = { draft: ZoneDraft; selected: readonly string[] } | { refused: RefusalReason }

/** A zone that exists in the session: as stored, or as changed in the draft. */
export type Subject = DraftZone & { now: CurbZoneForm }

/** Largest gap between zones that are merged: a driveway. */
const maxMergeGapMeters = 12

const emptyForm: Omit<CurbZoneForm, 'geometry'> = {
  name: '',
  street_name: '',
  cross_street_start_name: '',
  cross_street_end_name: '',
  street_side: null,
  num_spaces: null,
  curb_policy_ids: [],
}

export function drawZone(draft: ZoneDraft, curb: CurbAlong): EditResult {
  const id = nextNewId(draft)
  const now: CurbZoneForm = {
    ...emptyForm,
    geometry: { type: 'LineString', coordinates: curb.line },
    street_name: curb.streetName,
    street_side: curb.side,
    cross_street_start_name: curb.crossStreets.start,
    cross_street_end_name: curb.crossStreets.end,
  }
  return { draft: putZone(draft, { id, base: null, now, from: [] }), selected: [id] }
}

/** Returns the stored zones that a zone consists of. */
const getOrigins = ({ id, from }: DraftZone): string[] => [...(isNewId(id) ? [] : [id]), ...from]

/** Cuts a zone near a position, or at a distance (meters) from its start, and divides its spaces. */
export function splitZone(draft: ZoneDraft, subject: Subject, cut: Position | number): EditResult {
  const { geometry, num_spaces: spaces } = subject.now
  if (geometry.type !== 'LineString') return { refused: 'notLine' }
  const parts =
    typeof cut === 'number' ? splitLineAt(geometry.coordinates, cut) : splitLine(geometry.coordinates, cut)
  if (!parts) return { refused: 'atEnd' }
  const [first, second] = parts
  const share = lineLength(first) / (lineLength(first) + lineLength(second))
  const firstSpaces = spaces === null ? null : Math.round(spaces * share)
  const withFirst = putZone(draft, {
    ...subject,
    now: { ...subject.now, geometry: { type: 'LineString', coordinates: first }, num_spaces: firstSpaces },
  })
  const id = nextNewId(withFirst)
  const secondZone: DraftZone = {
    id,
    base: null,
    now: {
      ...subject.now,
      geometry: { type: 'LineString', coordinates: second },
      num_spaces: spaces === null || firstSpaces === null ? null : spaces - firstSpaces,
    },
    from: getOrigins(subject),
  }
  return { draft: putZone(withFirst, secondZone), selected: [subject.id, id] }
}

const ruleKey = ({ curb_policy_ids: ids }: CurbZoneForm): string => [...new Set(ids)].toSorted().join(' ')

/** Joins zones with equal regulations into the first of them and ends the others. */
export function mergeZones(draft: ZoneDraft, subjects: readonly Subject[]): EditResult {
  const [first, ...others] = subjects
  if (!first || !others.length) return { refused: 'notTwo' }
  if (subjects.some(({ now }) => now.geometry.type !== 'LineString')) return { refused: 'notLine' }
  if (new Set(subjects.map(({ now }) => ruleKey(now))).size > 1) return { refused: 'differentRules' }
  let line = getLine(first)
  const unjoined = [...others]
  // A zone is joined once it is close to the result so far, so the order of selection does not matter.
  while (unjoined.length) {
    const index = unjoined.findIndex((zone) => joinLines(line, getLine(zone), maxMergeGapMeters) !== null)
    const [next] = index < 0 ? [] : unjoined.splice(index, 1)
    const joined = next ? joinLines(line, getLine(next), maxMergeGapMeters) : null
    if (!joined) return { refused: 'tooFarApart' }
    line = joined
  }
  const spaces = subjects.map(({ now }) => now.num_spaces)
  const merged: DraftZone = {
    ...first,
    now: {
      ...first.now,
      geometry: { type: 'LineString', coordinates: line },
      num_spaces: spaces.some((space) => space === null)
        ? null
        : spaces.reduce<number>((sum, space) => sum + (space ?? 0), 0),
    },
    from: [...first.from, ...others.flatMap(getOrigins)],
  }
  const withMerged = putZone(draft, merged)
  return {
    draft: others.reduce((next, other) => putZone(next, { ...other, now: null, from: [] }), withMerged),
    selected: [first.id],
  }
}

const getLine = ({ now }: Subject): Position[] =>
  now.geometry.type === 'LineString' ? now.geometry.coordinates : []

/** A change of several zones at once; absent fields are not changed. */
export interface BulkChange extends Partial<Omit<CurbZoneForm, 'geometry' | 'curb_policy_ids'>> {
  attach?: readonly string[]
  detach?: readonly string[]
}

export function changeZones(
  draft: ZoneDraft,
  subjects: readonly Subject[],
  { attach = [], detach = [], ...fields }: BulkChange,
): ZoneDraft {
  const removed = new Set(detach)
  return subjects.reduce((next, subject) => {
    const policies = [
      ...new Set([...subject.now.curb_policy_ids.filter((id) => !removed.has(id)), ...attach]),
    ]
    return putZone(next, { ...subject, now: { ...subject.now, ...fields, curb_policy_ids: policies } })
  }, draft)
}
