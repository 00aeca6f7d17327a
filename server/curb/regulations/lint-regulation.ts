import { setImmediate } from 'node:timers/promises'
import type { CdsPolicy } from '#contract/cds.ts'
import type { lintCurbPolicy, RegulationFinding, RegulationPrecedence } from '#contract/curb-regulations.ts'
import type { PolicyFinding } from '#contract/curb-rules.ts'
import type { EndpointOutput } from '#contract/endpoint.ts'
import { localDay } from '#contract/period.ts'
import { type CheckContext, checkPolicies } from '../rules/check-policies.ts'
import { createCurbCalendar } from '../rules/local-days.ts'
import {
  findPrecedences,
  mergeMinutes,
  type Precedence,
  createDraftComparison,
  toWeekTimes,
} from '../rules/find-precedences.ts'
import { toLocalClock } from '../rules/week-in-words.ts'
import type { CurbIndexes } from '../store/curb-index.ts'
import type { Call } from '#server/http/route.ts'
import type { State } from '#server/stores/state.ts'
import { findRegulationRows } from './find-regulation.ts'

/** Maximum number of sets of policies that one check covers; sets with the most zones come first. */
const maxRuleSets = 40
const draftId = 'draft'

/** Returns a finding's path in the form: `rules.2.time_spans.0` for `time_spans[0]` of rule 2. */
export const getFindingPath = ({ rule, field }: Pick<PolicyFinding, 'rule' | 'field'>): string => {
  const path = field.replace(/\[(\d+)\]/g, '.$1')
  if (rule === null) return path
  return path ? `rules.${rule}.${path}` : `rules.${rule}`
}

/** Zones with the same policies. */
interface ZoneSet {
  policies: readonly CdsPolicy[]
  zones: number
}

/**
 * Returns the distinct sets of policies that zones would have if the draft replaced its other versions, those
 * of the most zones first.
 * @param versions ids of the other versions
 */
export function groupZonesByPolicies(
  getPolicies: (zoneId: string) => readonly CdsPolicy[],
  zoneIds: readonly string[],
  versions: ReadonlySet<string>,
  draft: CdsPolicy,
): ZoneSet[] {
  const sets = new Map<string, ZoneSet>()
  for (const zoneId of zoneIds) {
    const otherPolicies = getPolicies(zoneId).filter(({ curb_policy_id: id }) => !versions.has(id))
    const key = otherPolicies.map(({ curb_policy_id: id }) => id).join('\n')
    const set = sets.get(key)
    if (set) set.zones += 1
    else sets.set(key, { policies: [...otherPolicies, draft], zones: 1 })
  }
  return [...sets.values()].toSorted((a, b) => b.zones - a.zones)
}

/** Checks a policy alone and with the other policies of its zones, and finds which of them take precedence. */
export async function lintRegulation(
  { state, indexes }: { state: State; indexes: CurbIndexes },
  { viewer: { scope }, params, body, at }: Call<typeof lintCurbPolicy>,
): Promise<EndpointOutput<typeof lintCurbPolicy>> {
  const { region_id: regionId } = params
  const { curb_policy_id: id, policy, curb_zone_ids: zoneIds } = body
  const index = await indexes.get(scope, regionId)
  const regulation = id ? await findRegulationRows(state.as(scope), { scope, regionId, id, at }) : null
  const versions = new Set(regulation?.rows.map((row) => row.curb_policy_id))
  const epoch = index.at(at.getTime())
  const draft = { ...policy, curb_policy_id: draftId, published_date: at.getTime() } as CdsPolicy
  const sets = groupZonesByPolicies(
    (zoneId) => epoch.ruleSetByZone.get(zoneId)?.policies ?? [],
    zoneIds.filter((zoneId) => epoch.ruleSetByZone.has(zoneId)),
    versions,
    draft,
  )
  const checkedSets = sets.slice(0, maxRuleSets)
  const context = {
    ...createCurbCalendar(index.timezone, index.settings.designatedPeriods),
    now: at.getTime(),
    localClasses: listLocalNames([...index.policies.values()]),
  }
  const otherIds = new Set(
    sets.flatMap((set) => set.policies.map((other) => other.curb_policy_id)).filter((id) => id !== draftId),
  )
  return {
    findings: listFindings(draft, checkedSets, context, index.policies),
    other_count: otherIds.size,
    precedences: await listPrecedences(draft, checkedSets, context),
    is_complete: sets.length <= maxRuleSets,
  }
}

/** Lists findings of the draft alone, then those that only arise with other policies, with their zones. */
function listFindings(
  draft: CdsPolicy,
  sets: readonly ZoneSet[],
  context: CheckContext,
  policies: ReadonlyMap<string, CdsPolicy>,
): RegulationFinding[] {
  const mapByKey = (findings: readonly PolicyFinding[]): Map<string, RegulationFinding> =>
    new Map(
      findings
        .map((finding) => toFinding(finding, policies))
        .map((finding) => [makeFindingKey(finding), finding]),
    )
  const concernsDraft = ({ curb_policy_id: id, other }: PolicyFinding): boolean =>
    id === draftId || other?.curb_policy_id === draftId
  const findingsOfDraft = mapByKey(checkPolicies([draft], context))
  const findings = new Map(findingsOfDraft)
  for (const set of sets)
    for (const [key, finding] of mapByKey(checkPolicies(set.policies, context).filter(concernsDraft)))
      if (!findingsOfDraft.has(key))
        findings.set(key, { ...finding, zone_count: set.zones + (findings.get(key)?.zone_count ?? 0) })
  return [...findings.values()]
}

/** Lists precedences over all zones, once per other policy and direction; most zones first. */
async function listPrecedences(
  draft: CdsPolicy,
  sets: readonly ZoneSet[],
  { timezone, periods, now }: CheckContext,
): Promise<RegulationPrecedence[]> {
  const convertedPolicies = new Map<CdsPolicy, CdsPolicy>()
  const convertToClock = (policy: CdsPolicy): CdsPolicy => {
    const converted = convertedPolicies.get(policy) ?? toLocalClock(policy, timezone)
    convertedPolicies.set(policy, converted)
    return converted
  }
  const midnight = Date.parse(localDay(new Date(now), timezone))
  const comparison = createDraftComparison(convertToClock(draft), periods, midnight)
  const precedences = new Map<string, { other: CdsPolicy; precedence: Precedence; zones: number }>()
  for (const { policies, zones } of sets) {
    const otherPolicies = policies.filter((policy) => policy !== draft)
    const policyById = new Map(otherPolicies.map((policy) => [policy.curb_policy_id, policy]))
    // A set takes up to 50 ms, so let other requests run in between.
    await setImmediate()
    for (const precedence of findPrecedences(comparison, otherPolicies.map(convertToClock))) {
      const key = `${precedence.otherId} ${precedence.isOtherFirst}`
      const existing = precedences.get(key)
      if (!existing) {
        precedences.set(key, { other: policyById.get(precedence.otherId)!, precedence, zones })
        continue
      }
      existing.zones += zones
      existing.precedence.users.push(...precedence.users)
      mergeMinutes(existing.precedence.minutes, precedence.minutes)
    }
  }
  return [...precedences.values()]
    .toSorted((a, b) => b.zones - a.zones || a.other.priority - b.other.priority)
    .map(({ other, precedence: { isOtherFirst, minutes, users }, zones }): RegulationPrecedence => ({
      other: { curb_policy_id: other.curb_policy_id, name: other.name ?? '', priority: other.priority },
      is_other_first: isOtherFirst,
      ...toWeekTimes(minutes),
      users: users.some((names) => names.length === 0) ? [] : [...new Set(users.flat())].toSorted(),
      zone_count: zones,
    }))
}

/** Returns a finding as seen from the policy that is edited. */
function toFinding(finding: PolicyFinding, policies: ReadonlyMap<string, CdsPolicy>): RegulationFinding {
  const isOfDraft = finding.curb_policy_id === draftId
  const other = policies.get((isOfDraft ? finding.other?.curb_policy_id : finding.curb_policy_id) ?? '')
  return {
    code: finding.code,
    severity: finding.severity,
    path: getFindingPath(isOfDraft ? finding : { rule: finding.other?.rule ?? null, field: '' }),
    message: finding.message,
    other: other ? { curb_policy_id: other.curb_policy_id, name: other.name ?? '' } : null,
    is_about_other: finding.code === 'never_applies' && !isOfDraft,
    zone_count: null,
  }
}

const makeFindingKey = ({
  code,
  path,
  other,
  is_about_other: isAboutOther,
  message,
}: RegulationFinding): string => [code, path, other?.curb_policy_id, isAboutOther, message].join('\n')

/** Returns user classes and purposes of the region's policies, which are not reported as typos. */
function listLocalNames(policies: readonly CdsPolicy[]): string[] {
  const names = policies.flatMap(({ rules }) =>
    rules.flatMap(({ user_classes: classes = [], user_classes_except: except = [], purposes = [] }) => [
      ...classes,
      ...except,
      ...purposes,
    ]),
  )
  return [...new Set(names)]
}
