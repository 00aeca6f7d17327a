import { nextModifiedTime } from '#server/geography/shapes/edit/shape-row.ts'
import { lockPolicy } from '../lock-policy.ts'
import { addRevision, type NewRevision } from '../save-policy.ts'
import { storedFields } from '../stored-fields.ts'

interface Update extends NewRevision {
  /** The region's local day. */
  today: string
}

/** Updates a policy to the feed: changes its draft, or adds one to a published policy. Refuses if somebody changed it since `seen`. */
export async function updatePolicy(
  { today, ...made }: Update,
  constantId: string,
  seen: string,
): Promise<void> {
  const { store, regionId, fields, currency, email, at, imported } = made
  const { newest } = await lockPolicy(store, regionId, constantId, seen, today)
  if (newest.published_time !== null) await addRevision(made, newest)
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
