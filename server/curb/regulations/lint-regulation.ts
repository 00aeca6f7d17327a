import { setImmediate } from 'node:timers/promises'
import type { z } from 'zod'
import type { CdsPolicy, CdsPolicyContent } from '#contract/cds.ts'
import type { lintCurbPolicy, RegulationFinding, RegulationPrecedence } from '#contract/curb-regulations.ts'
import type { PolicyFinding } from '#contract/curb-rules.ts'
import { localDay } from '#contract/period.ts'
import { type CheckContext, checkPolicies } from '../rules/check-policies.ts'
import { curbCalendar } from '../rules/local-days.ts'
import {
  findPrecedences,
  mergeMinutes,
  type Precedence,
  createPrecedenceQuestion,
  toWeekTimes,
} from '../rules/find-precedences.ts'
import { byClock } from '../rules/week-in-words.ts'
import type { CurbIndexes } from '../store/curb-index.ts'
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

/** Checks a policy by itself and together with the policies of its zones, and finds which of them take precedence. */
export async function lintRegulation(
  { state, indexes }: { state: State; indexes: CurbIndexes },
  scope: Scope,
  regionId: string,
  { curb_policy_id: id, policy, curb_zone_ids: zoneIds }: Question,
  at: Date,
): Promise<z.output<(typeof lintCurbPolicy)['response']>> {
  const index = await indexes.get(scope, regionId)
  const known = id ? await findRegulationRows(state.as(scope), scope, regionId, id, at) : null
  const versions = new Set(known?.rows.map((row) => row.curb_policy_id))
  const epoch = index.at(at.getTime())
  const draft = { ...policy, curb_policy_id: draftId, published_date: at.getTime() } as CdsPolicy
  const sets = zoneSets(
    (zoneId) => epoch.ruleSetByZone.get(zoneId)?.policies ?? [],
    zoneIds.filter((zoneId) => epoch.ruleSetByZone.has(zoneId)),
    versions,
    draft,
  )
  const context = {
    ...curbCalendar(index.timezone, index.settings.designatedPeriods),
    now: at.getTime(),
    localClasses: localNames([...index.policies.values()]),
  }
  const findings = new Map<string, RegulationFinding>()
  for (const finding of checkPolicies([draft], context)) {
    const shown = toFinding(finding, index.policies)
    findings.set(keyOf(shown), shown)
  }
  const alone = new Set(findings.keys())
  for (const { policies, zones } of sets.slice(0, maxRuleSets)) {
    const ofSet = new Map(
      checkPolicies(policies, context)
        .filter(({ curb_policy_id: of, other }) => of === draftId || other?.curb_policy_id === draftId)
        .map((finding) => toFinding(finding, index.policies))
        .map((finding) => [keyOf(finding), finding]),
    )
    for (const [key, finding] of ofSet)
      if (!alone.has(key))
        findings.set(key, { ...finding, zone_count: zones + (findings.get(key)?.zone_count ?? 0) })
  }
  const others = new Set(
    sets.flatMap((set) => set.policies.map((each) => each.curb_policy_id)).filter((each) => each !== draftId),
  )
  return {
    findings: [...findings.values()],
    other_count: others.size,
    precedences: await precedencesOf(draft, sets.slice(0, maxRuleSets), context),
    is_complete: sets.length <= maxRuleSets,
  }
}

/** The precedences of all zones: each other policy at most once in each direction, those of the most zones first. */
async function precedencesOf(
  draft: CdsPolicy,
  sets: readonly ZoneSet[],
  { zone, periods, now }: CheckContext,
): Promise<RegulationPrecedence[]> {
  const clocked = new Map<CdsPolicy, CdsPolicy>()
  const shownByClock = (policy: CdsPolicy): CdsPolicy => {
    const known = clocked.get(policy) ?? byClock(policy, zone)
    clocked.set(policy, known)
    return known
  }
  const midnight = Date.parse(localDay(new Date(now), zone))
  const question = createPrecedenceQuestion(shownByClock(draft), periods, midnight)
  const found = new Map<string, { other: CdsPolicy; precedence: Precedence; zones: number }>()
  for (const { policies, zones } of sets) {
    const others = policies.filter((policy) => policy !== draft)
    const byId = new Map(others.map((policy) => [policy.curb_policy_id, policy]))
    // A set takes up to 50 ms: other calls come between.
    await setImmediate()
    for (const precedence of findPrecedences(question, others.map(shownByClock))) {
      const key = `${precedence.otherId} ${precedence.isOtherFirst}`
      const known = found.get(key)
      if (!known) {
        found.set(key, { other: byId.get(precedence.otherId)!, precedence, zones })
        continue
      }
      known.zones += zones
      known.precedence.users.push(...precedence.users)
      mergeMinutes(known.precedence.minutes, precedence.minutes)
    }
  }
  return [...found.values()]
    .toSorted((a, b) => b.zones - a.zones || a.other.priority - b.other.priority)
    .map(({ other, precedence: { isOtherFirst, minutes, users }, zones }): RegulationPrecedence => ({
      other: {
        curb_policy_id: other.curb_policy_id,
        name: other.name ?? '',
        priority: other.priority,
      },
      is_other_first: isOtherFirst,
      ...toWeekTimes(minutes),
      users: users.some((names) => names.length === 0) ? [] : [...new Set(users.flat())].toSorted(),
      zone_count: zones,
    }))
}

/** A finding as seen from the policy that is edited. */
function toFinding(finding: PolicyFinding, policies: ReadonlyMap<string, CdsPolicy>): RegulationFinding {
  const isOwn = finding.curb_policy_id === draftId
  const other = policies.get((isOwn ? finding.other?.curb_policy_id : finding.curb_policy_id) ?? '')
  return {
    code: finding.code,
    severity: finding.severity,
    path: findingPath(isOwn ? finding : { rule: finding.other?.rule ?? null, field: '' }),
    message: finding.message,
    other: other ? { curb_policy_id: other.curb_policy_id, name: other.name ?? '' } : null,
    is_about_other: finding.code === 'never_applies' && !isOwn,
    zone_count: null,
  }
}

const keyOf = ({ code, path, other, is_about_other: isAboutOther, message }: RegulationFinding): string =>
  [code, path, other?.curb_policy_id, isAboutOther, message].join('\n')

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
