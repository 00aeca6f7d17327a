import { localDay } from '#contract/period.ts'
import { regionScope, systemScope } from '#server/identity/scope.ts'
import type { Log } from '#server/jobs/log.ts'
import type { Mail } from '#server/mail/message.ts'
import { canReadOperator } from '#server/stores/scope.ts'
import type { State } from '#server/stores/state.ts'
import { incidentMail, type ToldRegion } from './incident-mail.ts'
import { isDue } from './is-due.ts'
import { mayBeTold } from './may-be-told.ts'

export interface Delivering {
  state: State
  mail: Mail
  publicUrl: string
  log: Log
}

/** A mail that could not be handed over so often is given up. */
const mostTries = 5

interface Waiting {
  subscription_id: string
  cadence: string
  token: string
  digest_day: string | null
  region_id: string
  organization_id: string
  text: string
  timezone: string
}

/** Subscriptions with mails that nobody has taken yet, by region. */
const waitingOf = (state: State): Promise<Waiting[]> =>
  state
    .as(systemScope)
    .selectFrom('incident_mail')
    .innerJoin(
      'incident_subscription',
      'incident_subscription.subscription_id',
      'incident_mail.subscription_id',
    )
    .innerJoin('region', 'region.region_id', 'incident_mail.region_id')
    .select([
      'incident_mail.subscription_id',
      'incident_mail.region_id',
      'incident_subscription.cadence',
      'incident_subscription.token',
      'incident_subscription.digest_day',
      'region.organization_id',
      'region.text',
      'region.timezone',
    ])
    .distinct()
    .where('incident_mail.claimed_time', 'is', null)
    .execute()

/**
 * Sends what waits. Taken before it is sent, so that after whatever cuts it off nobody is told twice; what the mail server did not take is
 * given back for the next time.
 */
export async function deliverMails({ state, mail, publicUrl, log }: Delivering, at: Date): Promise<number> {
  let sent = 0
  const due = (await waitingOf(state)).filter((each) => isDue(each, at))
  for (const each of due) {
    const scope = regionScope(each.organization_id, each.region_id)
    const store = state.as(scope)
    const ofSubscription = { subscription_id: each.subscription_id, region_id: each.region_id }
    const taken = await store
      .updateTable('incident_mail')
      .set({ claimed_time: at })
      .where('subscription_id', '=', each.subscription_id)
      .where('region_id', '=', each.region_id)
      .where('claimed_time', 'is', null)
      .returning('step_id')
      .execute()
    const to = await mayBeTold(store, each.region_id)
      .where('incident_subscription.subscription_id', '=', each.subscription_id)
      .select(['user.email', 'user.operators'])
      .executeTakeFirst()
    if (!taken.length || !to) continue
    const ids = taken.map((row) => row.step_id)
    const waiting = await store
      .selectFrom('incident_step')
      .innerJoin('incident', 'incident.incident_id', 'incident_step.incident_id')
      .leftJoin('feed', 'feed.feed_id', 'incident.feed_id')
      .select([
        'incident_step.step',
        'incident_step.at',
        'incident_step.value',
        'incident_step.text',
        'incident.rule',
        'incident.operator',
        'incident.opened_time as opened',
        'feed.name as feed',
      ])
      .where('incident_step.step_id', 'in', ids)
      .orderBy('incident_step.number')
      .execute()
    // Whose operators were limited meanwhile is told of no other one.
    const steps = waiting.filter(({ operator }) => canReadOperator(to, operator))
    if (!steps.length) continue
    const region: ToldRegion = { regionId: each.region_id, text: each.text, timezone: each.timezone }
    const links = {
      link: `${publicUrl}/${each.region_id}/mobility/data-health`,
      end: `${publicUrl}/unsubscribe/${each.token}`,
      isDigest: each.cadence === 'daily',
    }
    const mine = store
      .updateTable('incident_mail')
      .where('subscription_id', '=', ofSubscription.subscription_id)
      .where('step_id', 'in', ids)
    try {
      await mail.send({ to: to.email, ...incidentMail(region, steps, links) })
      await mine.set({ sent_time: at }).execute()
      if (links.isDigest)
        await store
          .updateTable('incident_subscription')
          .set({ digest_day: localDay(at, each.timezone) })
          .where('subscription_id', '=', each.subscription_id)
          .execute()
      sent++
    } catch (error) {
      log('incident mail', {
        subscription: each.subscription_id,
        error: error instanceof Error ? error.message : String(error),
      })
      await mine
        .set((row) => ({ claimed_time: null, tries: row('tries', '+', 1) }))
        .where('tries', '<', mostTries - 1)
        .execute()
    }
  }
  return sent
}
