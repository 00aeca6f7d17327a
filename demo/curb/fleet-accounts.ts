import { ChargeFields } from '#contract/charges.ts'
import { CurbAccountFields } from '#contract/curb-revenue.ts'
import { dayFromNumber, startOfMonth } from '#contract/period.ts'
import { createCharge } from '#server/billing/charges/charge-store.ts'
import { listAccounts, saveAccount } from '#server/curb/revenue/curb-accounts.ts'
import type { Viewer } from '#server/http/viewer.ts'
import type { State } from '#server/stores/state.ts'
import { deliveryFleets } from './deliveries.ts'

/** Number of vehicles with a permit for smart zones, by fleet. */
const permits: Readonly<Record<string, number>> = {
  'Gull Parcel': 46,
  'Meridian Freight': 21,
  'Harbor Foods': 18,
  'Northbank Linen': 12,
  'Cobble Cargo': 15,
}
/** Yearly price of a permit. */
const permitPrice = 250
/** Months before the first run at which permits became required. */
const permitMonths = 11

export const toAccountId = (fleet: string): string => fleet.toLowerCase().replaceAll(' ', '-')

/** Stores accounts and permit charges of the delivery fleets. */
export async function storeFleetAccounts(
  state: State,
  viewer: Viewer,
  { regionId, firstRunDay, at }: { regionId: string; firstRunDay: number; at: Date },
): Promise<void> {
  const existing = new Set(
    (await listAccounts(state, viewer, regionId)).items.map(({ account_id: id }) => id),
  )
  for (const { name } of deliveryFleets) {
    const id = toAccountId(name)
    if (existing.has(id)) continue
    await saveAccount(
      state,
      {
        viewer,
        params: { region_id: regionId, account_id: id },
        body: CurbAccountFields.parse({ name, kind: 'fleet', operator_names: [name] }),
        at,
      },
      { isNew: true, hash: (_, vehicle) => vehicle },
    )
    await createCharge(state, {
      viewer,
      params: { region_id: regionId },
      body: ChargeFields.parse({
        name: 'Smart zone permits',
        operator: id,
        kind: 'device',
        frequency: 'yearly',
        amount: permitPrice,
        permitted_quantity: permits[name] ?? 10,
        start_date: startOfMonth(dayFromNumber(firstRunDay), permitMonths),
      }),
      at,
    })
  }
}
