import type { ComplianceRecord } from '#contract/compliance.ts'
import type { LocalDay } from '#contract/period.ts'
import type { State } from '#server/stores/state.ts'
import { type Finding, keyOf, newlyFound } from './newly-found.ts'

type Store = ReturnType<State['as']>

/** A policy as alerts name it: by the revision that holds. */
export interface ToldPolicy {
  policy_uuid: string
  constant_policy_uuid: string
  name: string
  type: string
}

/** Whom something is told, of which policy. */
interface Telling {
  regionId: string
  subscriptionId: string
  /** Under what is written down what was told: a user is told once by mail, however many subscriptions there are. */
  toldTo: string
  policy: ToldPolicy
  first: LocalDay
}

/** Records of one message, at most. */
const mostRecords = 500

/** Writes down what is told; answers what nobody else told meanwhile. */
async function claim(
  store: Store,
  { regionId, toldTo, policy }: Telling,
  findings: readonly Finding[],
): Promise<Finding[]> {
  const claimed = new Set<string>()
  for (let from = 0; from < findings.length; from += mostRecords) {
    const values = findings.slice(from, from + mostRecords).map(({ operator, shape, day, violations }) => ({
      region_id: regionId,
      told_to: toldTo,
      constant_policy_id: policy.constant_policy_uuid,
      operator,
      shape,
      day,
      violations,
    }))
    const rows = await store
      .insertInto('alert_told')
      .values(values)
      .onConflict((there) =>
        there
          .columns(['region_id', 'told_to', 'constant_policy_id', 'operator', 'shape', 'day'])
          .doUpdateSet((row) => ({ violations: row.ref('excluded.violations') }))
          .whereRef('alert_told.violations', '<', 'excluded.violations'),
      )
      .returning(['operator', 'shape', 'day'])
      .execute()
    for (const row of rows) claimed.add(keyOf(row))
  }
  return findings.filter((one) => claimed.has(keyOf(one)))
}

/** Writes down in one step what is newly found and the messages that tell it: whatever ends this process, nothing is told twice and nothing is lost. Answers how many messages. */
export async function tell(
  store: Store,
  telling: Telling,
  records: readonly ComplianceRecord[],
  at: Date,
): Promise<number> {
  const { regionId, subscriptionId, toldTo, policy, first } = telling
  if (!records.some(({ status }) => status === 'non_compliant')) return 0
  return store.transaction().execute(async (within) => {
    const told = await within
      .selectFrom('alert_told')
      .select(['operator', 'shape', 'day', 'violations'])
      .where('region_id', '=', regionId)
      .where('told_to', '=', toldTo)
      .where('constant_policy_id', '=', policy.constant_policy_uuid)
      .where('day', '>=', first)
      .execute()
    const claimed = await claim(within, telling, newlyFound(records, told))
    const all = claimed.flatMap((one) => one.records)
    const messages = Array.from({ length: Math.ceil(all.length / mostRecords) }, (_, at) =>
      all.slice(at * mostRecords, (at + 1) * mostRecords),
    )
    const values = messages.map((some) => ({
      region_id: regionId,
      subscription_id: subscriptionId,
      policy: JSON.stringify(policy),
      records: JSON.stringify(some),
      record_count: some.length,
      created_time: at,
      state: 'waiting',
      next_time: at,
    }))
    if (values.length) await within.insertInto('alert').values(values).execute()
    return values.length
  })
}
