import type { Alert } from '#contract/compliance-alerts.ts'
import type { GuardedFetch } from '#server/http/guarded-fetch.ts'
import { Problem } from '#server/http/problem.ts'
import type { Viewer } from '#server/http/viewer.ts'
import { tryConsumeRateLimit } from '#server/identity/rate-limit.ts'
import type { Mail } from '#server/mail/message.ts'
import { findRegion } from '#server/regions/read-region.ts'
import type { SecretBox } from '#server/stores/secret-box.ts'
import type { State } from '#server/stores/state.ts'
import { testMail } from './alert-mail.ts'
import { alertColumns, readAlert } from './alert-row.ts'
import { findSubscription, type SubscriptionRef } from './find-subscriptions.ts'
import { postWebhook } from './post-webhook.ts'
import { type DeliveryOutcome, recordDelivery } from './record-delivery'
import { openSecret } from './sign.ts'

export interface AlertTestContext {
  state: State
  box: SecretBox
  fetch: GuardedFetch
  mail: Mail
  publicUrl: string
}

const tenMinutesMs = 10 * 60_000
/** Tests of one user within ten minutes: a button that sends mail, and asks other servers. */
const maxTests = 10

/** Sends a test, once and now; answers what became of it. */
export async function testSubscription(
  { state, box, fetch, mail, publicUrl }: AlertTestContext,
  viewer: Viewer,
  one: SubscriptionRef,
  at: Date,
): Promise<Alert> {
  const { channel, subscription_id: id, region_id: regionId } = await findSubscription(state, viewer, one)
  const region = await findRegion(state, viewer.scope, regionId)
  if (!(await tryConsumeRateLimit(state, `alert-test:${viewer.userId}`, maxTests, tenMinutesMs, at)))
    throw new Problem('too_many_requests', `At most ${maxTests} tests in ten minutes.`)
  const store = state.as(viewer.scope)
  const {
    token,
    url,
    sealed_secret: sealed,
  } = await store
    .selectFrom('alert_subscription')
    .select(['token', 'url', 'sealed_secret'])
    .where('subscription_id', '=', id)
    .executeTakeFirstOrThrow()
  const { alert_id: alertId } = await store
    .insertInto('alert')
    .values({
      region_id: regionId,
      subscription_id: id,
      is_test: true,
      created_time: at,
      state: 'sending',
      claimed_time: at,
      tries: 1,
    })
    .returning('alert_id')
    .executeTakeFirstOrThrow()
  const send = async (): Promise<DeliveryOutcome> => {
    if (channel === 'webhook')
      return postWebhook(
        fetch,
        { url: url ?? '', secret: openSecret(box, id, sealed ?? '') },
        {
          id: alertId,
          type: 'compliance.test',
          created: at.toISOString(),
          region_id: regionId,
          policy: null,
          records: [],
        },
        at,
      )
    await mail.send({ to: viewer.email, ...testMail({ region, publicUrl, token }) })
    return { problem: null, status: null }
  }
  const outcome = await send().catch((): DeliveryOutcome => ({
    problem:
      channel === 'webhook'
        ? 'The stored secret cannot be opened with the present key. Give the webhook a new one.'
        : 'The mail server did not take it.',
    status: null,
  }))
  await recordDelivery(store, [alertId], { ...outcome, isFinal: true }, 1, at)
  return readAlert(
    await store
      .selectFrom('alert')
      .select(alertColumns)
      .where('alert_id', '=', alertId)
      .executeTakeFirstOrThrow(),
  )
}
