import { type IncidentRule, incidentRuleNames, reopenHours } from '#contract/incident-rules.ts'
import type { HealthRegion } from '#server/health/health-region.ts'
import { hourMs } from '#server/health/span.ts'
import type { State } from '#server/stores/state.ts'
import type { Measure } from './measure.ts'
import { queueIncident } from './queue-incident.ts'
import { ruleLimits, worseOf, isMuchWorse, isRight, isWrong, type RuleLimits } from './rules.ts'

/** What is known of an incident of a rule and subject: open with the figure told last, closed a short time ago, or none. */
type Standing = { is: 'open'; told: number | null } | { is: 'closed' } | { is: 'none' }

/** What becomes of it. `keep`: it stays open as it is. */
type Decision = 'open' | 'reopen' | 'worse' | 'keep' | 'close' | 'nothing'

/** Decides by the figure of now; null: it cannot be made, so that nothing is known to have changed. */
export function decide(limits: RuleLimits, value: number | null, standing: Standing): Decision {
  if (standing.is === 'open') {
    if (value === null) return 'keep'
    if (isRight(limits, value)) return 'close'
    return standing.told !== null && isWrong(limits, value) && isMuchWorse(limits, value, standing.told)
      ? 'worse'
      : 'keep'
  }
  if (value === null || !isWrong(limits, value)) return 'nothing'
  return standing.is === 'closed' ? 'reopen' : 'open'
}

type Store = ReturnType<State['as']>

interface Known {
  incident_id: string
  rule: string
  subject: string
  operator: string
  closed_time: Date | null
  worst: number | null
  told: number | null
}

const subjectOf = ({ feedId, operator }: Measure): string => feedId ?? operator
const isRule = (name: string): name is IncidentRule => (incidentRuleNames as readonly string[]).includes(name)

/** Writes a step, and queues the mails about it. */
async function addStep(
  store: Store,
  region: HealthRegion,
  { incident_id, operator }: Pick<Known, 'incident_id' | 'operator'>,
  step: string,
  value: number | null,
  at: Date,
  text: string | null = null,
): Promise<void> {
  const { step_id: stepId } = await store
    .insertInto('incident_step')
    .values({ incident_id, region_id: region.regionId, at, step, value, text })
    .returning('step_id')
    .executeTakeFirstOrThrow()
  if (step !== 'worse') await queueIncident(store, region, operator, stepId, at)
}

/** What one figure does to its incident. A change that another process made meanwhile is not made twice. */
async function applyOne(
  store: Store,
  region: HealthRegion,
  measure: Measure,
  known: Known | undefined,
  at: Date,
): Promise<void> {
  const limits = ruleLimits[measure.rule]
  const standing: Standing = !known
    ? { is: 'none' }
    : known.closed_time
      ? { is: 'closed' }
      : { is: 'open', told: known.told }
  const { value, rule, operator, feedId } = measure
  const decision = decide(limits, value, standing)
  if (decision === 'nothing' || (decision === 'keep' && value === null)) return
  if (decision === 'open') {
    const row = {
      region_id: region.regionId,
      rule,
      operator,
      feed_id: feedId,
      subject: subjectOf(measure),
      opened_time: at,
      value,
      worst: value,
      told: value,
    }
    const made = await store
      .insertInto('incident')
      .values(row)
      .onConflict((there) => there.doNothing())
      .returning('incident_id')
      .executeTakeFirst()
    if (made) await addStep(store, region, { ...made, operator }, 'opened', value, at)
    return
  }
  if (!known) return
  const worst =
    value === null ? known.worst : known.worst === null ? value : worseOf(limits, known.worst, value)
  const change = {
    open: {},
    keep: { value, worst },
    worse: { value, worst, told: value },
    close: { value, closed_time: at },
    reopen: { value, worst, told: value, closed_time: null, acknowledged_by: null, acknowledged_time: null },
  }[decision]
  const changed = await store
    .updateTable('incident')
    .set(change)
    .where('incident_id', '=', known.incident_id)
    .where('closed_time', decision === 'reopen' ? 'is not' : 'is', null)
    .returning('incident_id')
    .executeTakeFirst()
  const step = { keep: null, worse: 'worse', close: 'closed', reopen: 'reopened' }[decision]
  if (changed && step) await addStep(store, region, known, step, value, at)
}

/** Opens, goes on with and closes the incidents of a region by the figures of now (`at`). What is looked at no more (a feed switched off) closes. */
export async function applyMeasures(
  state: State,
  region: HealthRegion,
  measures: readonly Measure[],
  at: Date,
): Promise<void> {
  await state
    .as(region.scope)
    .transaction()
    .execute(async (store) => {
      const known: Known[] = await store
        .selectFrom('incident')
        .select(['incident_id', 'rule', 'subject', 'operator', 'closed_time', 'worst', 'told'])
        .where('region_id', '=', region.regionId)
        .where((each) =>
          each.or([
            each('closed_time', 'is', null),
            each('closed_time', '>=', new Date(at.getTime() - reopenHours * hourMs)),
          ]),
        )
        .orderBy('opened_time', 'desc')
        .execute()
      const of = (rule: string, subject: string): Known | undefined =>
        known.find((each) => each.rule === rule && each.subject === subject && !each.closed_time) ??
        known.find((each) => each.rule === rule && each.subject === subject)
      for (const measure of measures)
        await applyOne(store, region, measure, of(measure.rule, subjectOf(measure)), at)
      const looked = new Set(measures.map((measure) => `${measure.rule} ${subjectOf(measure)}`))
      for (const each of known) {
        if (each.closed_time || (isRule(each.rule) && looked.has(`${each.rule} ${each.subject}`))) continue
        const closed = await store
          .updateTable('incident')
          .set({ closed_time: at })
          .where('incident_id', '=', each.incident_id)
          .where('closed_time', 'is', null)
          .returning('incident_id')
          .executeTakeFirst()
        if (closed)
          await addStep(store, region, each, 'closed', null, at, 'The feed is switched off or gone.')
      }
    })
}
