import { webhookEventNames } from '#contract/webhooks.ts'
import { systemScope } from '#server/identity/scope.ts'
import type { TestApp } from './app.ts'

/** Adds a webhook for all events of a region, with an address that does not exist. */
export async function subscribeToEvents(app: TestApp, regionId: string, email: string): Promise<void> {
  const store = app.state.as(systemScope)
  const user = await store
    .selectFrom('user')
    .select(['id', 'organizationId'])
    .where('email', '=', email)
    .executeTakeFirstOrThrow()
  await store
    .insertInto('subscription')
    .values({
      organization_id: user.organizationId,
      user_id: user.id,
      topic: 'events',
      region_id: regionId,
      operator: null,
      channel: 'webhook',
      cadence: 'immediate',
      url: 'https://hooks.invalid',
      events: JSON.stringify(webhookEventNames),
      created_time: new Date(),
    })
    .execute()
}

/** Reads the events with queued messages and their data, oldest first. */
export async function listReceivedEvents(
  app: TestApp,
): Promise<{ type: string; data: Record<string, unknown> }[]> {
  const rows = await app.state
    .as(systemScope)
    .selectFrom('notification')
    .select(['kind', 'payload'])
    .where('kind', 'in', [...webhookEventNames])
    .orderBy('created_time')
    .execute()
  return rows.map(({ kind, payload }) => ({
    type: kind,
    data: (payload as { data: Record<string, unknown> }).data,
  }))
}
