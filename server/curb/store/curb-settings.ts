import type { Kysely } from 'kysely'
import { z } from 'zod'
import { LocalDay } from '#contract/period.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { State } from '#server/stores/state.ts'
import type { StateTables } from '#server/stores/state-tables.ts'

/** 20 ft, the length that most cities assume for a car (CDS issue #208). */
const defaultVehicleLengthCm = 610

/** Settings of a region's curb. */
export const CurbSettings = z.object({
  /** Centimeters of curb per vehicle where spaces are not marked. */
  assumedVehicleLength: z.number().int().min(200).max(3000).default(defaultVehicleLengthCm),
  /** Local days of designated periods of CDS, such as `holidays`. */
  designatedPeriods: z.record(z.string().min(1).max(200), z.array(LocalDay).max(5000)).default({}),
  /** The regulations map is public. */
  isPublic: z.boolean().default(false),
})
export type CurbSettings = z.infer<typeof CurbSettings>

/** Settings of a region's curb, and the version of its curb data. */
export async function readCurbSettings(
  state: State,
  scope: Scope,
  regionId: string,
): Promise<{ settings: CurbSettings; version: number }> {
  const row = await state
    .as(scope)
    .selectFrom('curb_settings')
    .select(['settings', 'version'])
    .where('region_id', '=', regionId)
    .executeTakeFirst()
  return { settings: CurbSettings.parse(row?.settings ?? {}), version: Number(row?.version ?? 0) }
}

/**
 * Increments the version of a region's curb data within the transaction that changes it, and locks it until the transaction ends, so
 * that changes of a region follow each other.
 */
export async function lockCurb(store: Kysely<StateTables>, regionId: string): Promise<void> {
  await store
    .insertInto('curb_settings')
    .values({ region_id: regionId, version: 1 })
    .onConflict((of) =>
      of.column('region_id').doUpdateSet((set) => ({ version: set('curb_settings.version', '+', 1) })),
    )
    .execute()
}
