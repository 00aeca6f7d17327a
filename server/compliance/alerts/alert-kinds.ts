import { nameOperators } from '#server/health/name-operators.ts'
import { regionScope } from '#server/identity/scope.ts'
import type { MessageContext, NotificationKind } from '#server/notifications/notification.ts'
import { canReceive } from '#server/notifications/recipient.ts'
import type { State } from '#server/stores/state.ts'
import { type AlertPolicy, composeAlertMail, type MailPart, composeTestMail } from './alert-mail.ts'
import type { RecordToReport } from './find-new-violations.ts'

/** New violations of one policy. */
export interface AlertPayload {
  policy: AlertPolicy
  records: readonly RecordToReport[]
}

export const violationsKind = 'compliance.violations'
export const testKind = 'compliance.test'

const filterVisibleRecords = ({ records }: AlertPayload, { recipient }: MessageContext): RecordToReport[] =>
  records.filter(({ operator }) => canReceive(recipient, operator))

/** Merges payloads into one part of a mail per policy, with the records that the recipient may see. */
function toMailParts(payloads: readonly AlertPayload[], context: MessageContext): MailPart[] {
  const parts = new Map<string, MailPart>()
  for (const payload of payloads) {
    const { policy } = payload
    const records = parts.get(policy.constant_policy_uuid)?.records ?? []
    parts.set(policy.constant_policy_uuid, {
      policy,
      records: [...records, ...filterVisibleRecords(payload, context)],
    })
  }
  return [...parts.values()].filter(({ records }) => records.length)
}

/** Creates the notification kinds of messages about new violations, and of tests of their subscriptions. */
export const createAlertKinds = (state: State): NotificationKind[] => [
  {
    name: violationsKind,
    async composeMail(payloads, context) {
      const { organizationId, region, publicUrl, token, isDigest } = context
      const parts = toMailParts(payloads as AlertPayload[], context)
      if (!parts.length) return null
      const slugs = [...new Set(parts.flatMap(({ records }) => records.map(({ operator }) => operator)))]
      const scope = regionScope(organizationId, region.regionId)
      const namesBySlug = new Map(
        (await nameOperators(state, { scope, organizationId }, slugs)).map(({ slug, name }) => [slug, name]),
      )
      return composeAlertMail(parts, {
        region,
        publicUrl,
        token: token ?? '',
        isDigest,
        getOperatorName: (slug) => namesBySlug.get(slug) ?? slug,
        language: context.recipient.language,
      })
    },
    composeData(payload, context) {
      const { policy } = payload as AlertPayload
      const records = filterVisibleRecords(payload as AlertPayload, context)
      return records.length ? { region_id: context.region.regionId, policy, records } : null
    },
  },
  {
    name: testKind,
    composeMail: async (_, { region, publicUrl, token, recipient: { language } }) =>
      composeTestMail({ region, publicUrl, token: token ?? '', language }),
    composeData: (_, { region }) => ({ region_id: region.regionId, policy: null, records: [] }),
  },
]
