import { nextModifiedTime } from '#server/geography/shapes/edit/shape-row.ts'
import { lockPolicy } from '../lock-policy.ts'
import { addRevision, type NewRevision } from '../save-policy.ts'
import { storedFields } from '../stored-fields.ts'

interface Update extends NewRevision {
  /** The region's local day. */
  today: string
}

/**
 * Updates a policy to the present content of the feed, in its draft or in a new draft. Throws a Problem if
 * somebody changed the policy since `seen`.
 */
export async function updatePolicy(
  { today, ...revision }: Update,
  constantId: string,
  seen: string,
): Promise<void> {
  const { store, regionId, fields, currency, email, at, imported } = revision
  const { newest } = await lockPolicy(store, regionId, constantId, seen, today)
  if (newest.published_time !== null) await addRevision(revision, newest)
  else
    await store
      .updateTable('policy')
      .set({
        fields: storedFields(fields, currency),
        currency,
        imported: imported ? JSON.stringify(imported) : null,
        modified_time: nextModifiedTime(newest.modified_time, at),
        modified_by_email: email,
      })
      .where('policy_id', '=', newest.policy_id)
      .execute()
}
