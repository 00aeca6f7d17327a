import type { CdsPolicy, CdsPolicyContent } from '#contract/cds.ts'
import type { RegulationFinding } from '#contract/curb-regulations.ts'
import type { PolicyFinding } from '#contract/curb-rules.ts'
import { checkPolicies } from '#server/curb/rules/check-policies.ts'
import { curbCalendar } from '#server/curb/rules/local-days.ts'
import type { CurbIndexes } from '#server/curb/store/curb-index.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { State } from '#server/stores/state.ts'
import { findRegulationRows } from './find-regulation.ts'

interface Question {
  curb_policy_id?: string | null | undefined
  policy: CdsPolicyContent
  curb_zone_ids: readonly string[]
}

/** Different sets of policies that are checked, those of the most zones first. */
const maxRuleSets = 40
const draftId = 'draft'

/** `time_spans[0].end_date` as `time_spans.0.end_date`, below its rule. */
export const findingPath = ({ rule, field }: Pick<PolicyFinding, 'rule' | 'field'>): string => {
  const path = field.replace(/\[(\d+)\]/g, '.$1')
  return rule === null ? path : path ? `rules.${rule}.${path}` : `rules.${rule}`
}

interface ZoneSet {
  policies: readonly CdsPolicy[]
  zones: number
}

/** The sets of policies that zones would have with a policy in place of its other versions; identical sets once. */
export function zoneSets(
  policiesOf: (zoneId: string) => readonly CdsPolicy[],
  zoneIds: readonly string[],
  versions: ReadonlySet<string>,
  draft: CdsPolicy,
): ZoneSet[] {
  const sets = new Map<string, ZoneSet>()
  for (const zoneId of zoneIds) {
    const others = policiesOf(zoneId).filter(({ curb_policy_id: id }) => !versions.has(id))
    const key = others.map(({ curb_policy_id: id }) => id).join('\n')
    const known = sets.get(key)
    if (known) known.zones += 1
    else sets.set(key, { policies: [...others, draft], zones: 1 })
  }
  return [...sets.values()].toSorted((a, b) => b.zones - a.zones)
}

/** Checks a policy by itself, and together with the policies of its zones. */
export async function lintRegulation(
  { state, indexes }: { state: State; indexes: CurbIndexes },
  scope: Scope,
  regionId: string,
  { curb_policy_id: id, policy, curb_zone_ids: zoneIds }: Question,
  at: Date,
): Promise<{ findings: RegulationFinding[]; is_complete: boolean }> {
  const index = await indexes.get(scope, regionId)
  const known = id ? await findRegulationRows(state.as(scope), scope, regionId, id, at) : null
  const versions = new Set(known?.rows.map((row) => row.curb_policy_id))
  const epoch = index.at(at.getTime())
  const draft = { ...policy, curb_policy_id: draftId, published_date: at.getTime() } as CdsPolicy
  const sets = zoneSets(
    (zoneId) => epoch.ruleSetOf.get(zoneId)?.policies ?? [],
    zoneIds.filter((zoneId) => epoch.ruleSetOf.has(zoneId)),
    versions,
    draft,
  )
  const context = {
    ...curbCalendar(index.zone, index.settings.designatedPeriods),
    now: at.getTime(),
    localClasses: localNames([...index.policies.values()]),
  }
  const alone = checkPolicies([draft], context)
  const findings = new Map<string, RegulationFinding>()
  const add = (finding: PolicyFinding, zones: number | null): void => {
    const otherId =
      finding.curb_policy_id === draftId ? finding.other?.curb_policy_id : finding.curb_policy_id
    const other = otherId === undefined || otherId === draftId ? null : index.policies.get(otherId)
    // Of two policies the finding is shown at the one that is edited.
    const own =
      finding.curb_policy_id === draftId ? finding : { rule: finding.other?.rule ?? null, field: '' }
    const path = findingPath(own)
    const key = [finding.code, path, otherId, finding.message].join('\n')
    const before = findings.get(key)
    findings.set(key, {
      code: finding.code,
      severity: finding.severity,
      path,
      message: finding.message,
      other: other ? { curb_policy_id: other.curb_policy_id, name: other.name ?? '' } : null,
      zone_count: zones === null ? null : zones + (before?.zone_count ?? 0),
    })
  }
  for (const finding of alone) add(finding, null)
  const shown = new Set(findings.keys())
  for (const { policies, zones } of sets.slice(0, maxRuleSets))
    for (const finding of checkPolicies(policies, context)) {
      const isOwn = finding.curb_policy_id === draftId || finding.other?.curb_policy_id === draftId
      const path = findingPath(finding)
      if (
        isOwn &&
        !shown.has([finding.code, path, finding.other?.curb_policy_id, finding.message].join('\n'))
      )
        add(finding, zones)
    }
  return { findings: [...findings.values()], is_complete: sets.length <= maxRuleSets }
}

/** User classes and purposes that policies of the region use: the city's own. */
function localNames(policies: readonly CdsPolicy[]): string[] {
  const names = policies.flatMap(({ rules }) =>
    rules.flatMap(({ user_classes: classes = [], user_classes_except: except = [], purposes = [] }) => [
      ...classes,
      ...except,
      ...purposes,
    ]),
  )
  return [...new Set(names)]
}
