import { localDay } from '#contract/period.ts'
import { isDue } from '#server/health/incidents/is-due.ts'
import { nameOperators } from '#server/health/name-operators.ts'
import { regionScope, systemScope } from '#server/identity/scope.ts'
import type { Log } from '#server/jobs/log.ts'
import type { Mail } from '#server/mail/message.ts'
import type { State } from '#server/stores/state.ts'
import { alertMail, type MailPart } from './alert-mail.ts'
import { findRecipient, canReceive } from './recipient'
import type { ReportedRecord } from './find-new-violations'
import { noAccessProblem, type DeliveryOutcome, recordDelivery } from './record-delivery'
import type { AlertPolicy } from './enqueue-alerts'

export interface SendingMails {
  state: State
  mail: Mail
  publicUrl: string
  log: Log
  now: () => Date
}

interface PendingMail {
  subscription_id: string
  user_id: string
  cadence: string
  token: string
  digest_day: string | null
  region_id: string
  organization_id: string
  text: string
  timezone: string
}

/** Subscriptions with messages whose time has come, and that nobody has taken yet. */
const findPendingMails = (state: State, at: Date): Promise<PendingMail[]> =>
  state
    .as(systemScope)
    .selectFrom('alert')
    .innerJoin('alert_subscription', 'alert_subscription.subscription_id', 'alert.subscription_id')
    .innerJoin('region', 'region.region_id', 'alert.region_id')
    .select([
      'alert.subscription_id',
      'alert.region_id',
      'alert_subscription.user_id',
      'alert_subscription.cadence',
      'alert_subscription.token',
      'alert_subscription.digest_day',
      'region.organization_id',
      'region.text',
      'region.timezone',
    ])
    .distinct()
    .where('alert_subscription.channel', '=', 'email')
    .where('alert.state', '=', 'waiting')
    .where('alert.next_time', '<=', at)
    .execute()

interface ClaimedAlert {
  alert_id: string
  tries: number
  policy: unknown
  records: unknown[]
}

/** What was taken, by policy. */
function partsOf(taken: readonly ClaimedAlert[], isVisible: (record: ReportedRecord) => boolean): MailPart[] {
  const parts = new Map<string, MailPart>()
  for (const { policy, records } of taken) {
    const of = policy as AlertPolicy
    const before = parts.get(of.constant_policy_uuid)?.records ?? []
    parts.set(of.constant_policy_uuid, {
      policy: of,
      records: [...before, ...(records as ReportedRecord[]).filter(isVisible)],
    })
  }
  return [...parts.values()].filter(({ records }) => records.length)
}

async function sendTo(
  { state, mail, publicUrl }: SendingMails,
  waiting: PendingMail,
  taken: readonly ClaimedAlert[],
): Promise<DeliveryOutcome> {
  const region = { regionId: waiting.region_id, text: waiting.text }
  const recipient = await findRecipient(state, waiting.user_id, region.regionId)
  const parts = recipient ? partsOf(taken, ({ operator }) => canReceive(recipient, operator)) : []
  if (!recipient || !parts.length) return { problem: noAccessProblem, status: null, isFinal: true }
  const slugs = [...new Set(parts.flatMap(({ records }) => records.map(({ operator }) => operator)))]
  const of = {
    scope: regionScope(waiting.organization_id, region.regionId),
    organizationId: waiting.organization_id,
  }
  const named = new Map((await nameOperators(state, of, slugs)).map(({ slug, name }) => [slug, name]))
  try {
    await mail.send({
      to: recipient.email,
      ...alertMail(parts, {
        region,
        publicUrl,
        token: waiting.token,
        isDigest: waiting.cadence === 'daily',
        operatorName: (slug) => named.get(slug) ?? slug,
      }),
    })
    return { problem: null, status: null }
  } catch {
    return { problem: 'The mail server did not take it.', status: null }
  }
}

/**
 * Sends what waits, one mail a subscription. Taken before it is sent, so that after whatever cuts it off nobody is told twice; what the mail server
 * did not take is tried again.
 */
export async function sendMails(sending: SendingMails, signal: AbortSignal): Promise<void> {
  const { state, log, now } = sending
  for (const waiting of (await findPendingMails(state, now())).filter((each) => isDue(each, now()))) {
    if (signal.aborted) return
    const store = state.as(regionScope(waiting.organization_id, waiting.region_id))
    const at = now()
    const taken = await store
      .updateTable('alert')
      .set((row) => ({ state: 'sending', claimed_time: at, tries: row('tries', '+', 1) }))
      .where('subscription_id', '=', waiting.subscription_id)
      .where('state', '=', 'waiting')
      .where('next_time', '<=', at)
      .returning(['alert_id', 'tries', 'policy', 'records'])
      .execute()
    if (!taken.length) continue
    const outcome = await sendTo(sending, waiting, taken)
    for (const tries of new Set(taken.map((one) => one.tries)))
      await recordDelivery(
        store,
        taken.filter((one) => one.tries === tries).map((one) => one.alert_id),
        outcome,
        tries,
        now(),
      )
    if (outcome.problem !== null)
      log('alert mail', {
        subscription: waiting.subscription_id,
        alerts: taken.length,
        isFinal: outcome.isFinal === true,
      })
    else if (waiting.cadence === 'daily')
      await store
        .updateTable('alert_subscription')
        .set({ digest_day: localDay(at, waiting.timezone) })
        .where('subscription_id', '=', waiting.subscription_id)
        .execute()
  }
}
