import type { Language } from '#contract/identity.ts'
import { loadViewer } from '#server/identity/find-viewer.ts'
import { systemScope } from '#server/identity/scope.ts'
import type { NotificationKind } from '#server/notifications/notification.ts'
import { queueNotifications } from '#server/notifications/notification-store.ts'
import type { State } from '#server/stores/state.ts'
import { noticeMs } from './list-keys.ts'

interface ExpiringKey {
  key_id: string
  name: string
  expires_time: string
}

const texts: Readonly<Record<Language, { subject: (keys: readonly ExpiringKey[]) => string; text: string }>> =
  {
    'en-US': {
      subject: (keys) =>
        keys.length === 1 ? `API key “${keys[0]?.name}” expires soon` : `${keys.length} API keys expire soon`,
      text: 'These API keys expire soon (dates in UTC). Rotate them and give the new keys to their consumers:',
    },
    es: {
      subject: (keys) =>
        keys.length === 1
          ? `La clave de API «${keys[0]?.name}» vence pronto`
          : `${keys.length} claves de API vencen pronto`,
      text: 'Estas claves de API vencen pronto (fechas en UTC). Renuévelas y entregue las nuevas a sus consumidores:',
    },
  }

/** The notification about keys that expire soon. */
export const expiryKind: NotificationKind = {
  name: 'api_keys.ending',
  composeMail: async (payloads, { publicUrl, recipient }) => {
    const { subject, text } = texts[recipient.language]
    const keys = payloads as ExpiringKey[]
    const lines = keys.map(
      ({ name, key_id, expires_time }) => `- ${name} (${key_id}): ${expires_time.slice(0, 10)}`,
    )
    return { subject: subject(keys), text: `${text}\n\n${lines.join('\n')}\n\n${publicUrl}/admin/api-keys\n` }
  },
}

/** Notifies owners of keys that expire soon, once for each key. */
export async function queueExpiryNotices(state: State, at: Date): Promise<void> {
  const store = state.as(systemScope)
  const rows = await store
    .selectFrom('api_key')
    .select(['key_id', 'name', 'owner_id', 'region_ids', 'expires_time'])
    .where('revoked_time', 'is', null)
    .where('alerted_time', 'is', null)
    .where('owner_id', 'is not', null)
    .where('expires_time', '>', at)
    .where('expires_time', '<=', new Date(at.getTime() + noticeMs))
    .execute()
  for (const { key_id, name, owner_id: userId, region_ids, expires_time } of rows) {
    const owner = userId ? await loadViewer(state, userId, '') : null
    const regions = owner?.scope.regionIds ?? []
    // Notifications belong to a region, so the first one of the key is used.
    const regionId = regions.find((id) => region_ids?.includes(id)) ?? regions[0]
    await store.transaction().execute(async (transaction) => {
      const claimedRow = await transaction
        .updateTable('api_key')
        .set({ alerted_time: at })
        .where('key_id', '=', key_id)
        .where('alerted_time', 'is', null)
        .returning('key_id')
        .executeTakeFirst()
      if (!claimedRow || !userId || regionId === undefined) return
      const payload: ExpiringKey = { key_id, name, expires_time: expires_time?.toISOString() ?? '' }
      await queueNotifications(
        transaction,
        [{ kind: expiryKind.name, regionId, userId, subscriptionId: null, payload, title: name }],
        at,
      )
    })
  }
}
