import { type CurbEdits, type CurbZoneForm } from '#contract/curb-edits.ts'
import { findCurbLineProblem, type CurbLineProblem } from '#contract/curb-line.ts'
import type { Region } from '#contract/regions.ts'
import { checkGeometry } from '../imports/checks/check-geometry.ts'
import { Findings } from '../imports/curb-format.ts'
import { regionReachKm } from '#server/regions/region-reach.ts'
import type { StoredZone } from './edit-zones.ts'

/** A problem of a field, with its path in the request. */
export interface EditIssue {
  path: string
  message: string
}

const messages: Record<CurbLineProblem, string> = {
  no_line: 'A curb zone is a line along the curb, or an area. Draw a line.',
  zero_length: 'The line has no length. Draw it again, or move one of its ends.',
  self_crossing: 'The line crosses itself, so that it has no sides. Draw it again.',
  wrong_side: 'A curb that runs in this direction cannot be on this side of a street. Choose another side.',
}

/** Whether two geometries have the same coordinates in the same order. */
export const isSameGeometry = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)

/** Finds problems of the edited fields of a zone. Its other fields may be from a source with other rules. */
function checkForm(
  path: string,
  zone: CurbZoneForm,
  previousForm: CurbZoneForm | null,
  { region, policyIds }: { region: Region; policyIds: ReadonlySet<string> },
): EditIssue[] {
  const issues: EditIssue[] = []
  const isMoved = previousForm === null || !isSameGeometry(previousForm.geometry, zone.geometry)
  const findings = new Findings()
  if (isMoved) {
    const { lon, lat } = region
    checkGeometry(structuredClone(zone.geometry), { center: { lon, lat }, reachKm: regionReachKm }, findings)
  }
  const problem = findCurbLineProblem(zone.geometry, zone.street_side)
  const isSideEdited = isMoved || previousForm.street_side !== zone.street_side
  const refusal = findings.list.find(({ effect }) => effect === 'refuse')
  if (isMoved && problem !== null && problem !== 'wrong_side')
    issues.push({ path: `${path}.geometry`, message: messages[problem] })
  else if (refusal) issues.push({ path: `${path}.geometry`, message: refusal.message })
  if (isSideEdited && problem === 'wrong_side')
    issues.push({ path: `${path}.street_side`, message: messages.wrong_side })
  const previousIds = new Set(previousForm?.curb_policy_ids ?? [])
  if (zone.curb_policy_ids.some((id) => !policyIds.has(id) && !previousIds.has(id)))
    issues.push({
      path: `${path}.curb_policy_ids`,
      message: 'One of the regulations is not published. Publish it first, or choose another one.',
    })
  return issues
}

/** Finds all problems of a change set. */
export function checkEdits(
  { created, changed, ended }: CurbEdits,
  stored: ReadonlyMap<string, StoredZone>,
  context: { region: Region; policyIds: ReadonlySet<string>; effective: Date },
): EditIssue[] {
  const retiredIds = new Set([...changed, ...ended].map(({ curb_zone_id: id }) => id))
  const findUnretiredParents = (path: string, from: readonly string[]): EditIssue[] =>
    from.some((id) => !retiredIds.has(id))
      ? [{ path, message: 'A zone of which this one is a part is neither changed nor ended.' }]
      : []
  const getEndTime = (id: string): number | null => stored.get(id)?.row.end_time?.getTime() ?? null
  const findEarlierEnd = (path: string, id: string): EditIssue[] => {
    const end = getEndTime(id)
    return end !== null && end <= context.effective.getTime()
      ? [
          {
            path,
            message: 'An earlier change ends this zone before that day. Edit what follows it then.',
          },
        ]
      : []
  }
  const findDifferentEnds = (path: string, from: readonly string[]): EditIssue[] =>
    new Set(from.map(getEndTime)).size > 1
      ? [{ path, message: 'Zones that end on different days cannot be merged.' }]
      : []
  return [
    ...created.flatMap(({ zone, from }, index) => [
      ...checkForm(`body.created.${index}.zone`, zone, null, context),
      ...findUnretiredParents(`body.created.${index}.from`, from),
      ...findDifferentEnds(`body.created.${index}.from`, from),
    ]),
    ...changed.flatMap(({ zone, from, curb_zone_id: id }, index) => [
      ...checkForm(`body.changed.${index}.zone`, zone, stored.get(id)?.form ?? null, context),
      ...findUnretiredParents(`body.changed.${index}.from`, from),
      ...findDifferentEnds(`body.changed.${index}.from`, [id, ...from]),
      ...findEarlierEnd(`body.changed.${index}.zone`, id),
    ]),
    ...ended.flatMap(({ curb_zone_id: id }, index) => findEarlierEnd(`body.ended.${index}`, id)),
  ]
}
