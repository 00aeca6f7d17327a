import type { CurbAccount, CurbAccountFields } from '#contract/curb-revenue.ts'
import type { Region } from '#contract/regions.ts'
import { Problem } from '#server/http/problem.ts'
import type { Viewer } from '#server/http/viewer.ts'
import { findRegion } from '#server/regions/read-region.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { State, Store } from '#server/stores/state.ts'

/** An account, with the operators and vehicles that identify its sessions. */
export interface PayingAccount {
  accountId: string
  name: string
  kind: CurbAccount['kind']
  operatorNames: string[]
  /** Hashes of the vehicles' identities. */
  vehicles: string[]
}

/** Returns the hash under which the identity of a vehicle is stored. */
export type HashVehicle = (regionId: string, vehicle: string) => string

interface AccountKey {
  region_id: string
  account_id: string
}

interface AccountCall {
  viewer: Viewer
  params: AccountKey
  body: CurbAccountFields
  at: Date
}

/** Reads the accounts of a region, by name. */
export async function readAccounts(state: State, scope: Scope, regionId: string): Promise<PayingAccount[]> {
  const rows = await state
    .as(scope)
    .selectFrom('curb_account')
    .selectAll()
    .where('region_id', '=', regionId)
    .orderBy('name')
    .orderBy('account_id')
    .execute()
  return rows.map((row) => ({
    accountId: row.account_id,
    name: row.name,
    kind: row.kind as CurbAccount['kind'],
    operatorNames: row.operator_names,
    vehicles: row.vehicles,
  }))
}

/** Finds the account with an id; null if it does not exist. */
export async function findAccount(
  state: State,
  scope: Scope,
  regionId: string,
  accountId: string,
): Promise<PayingAccount | null> {
  return (
    (await readAccounts(state, scope, regionId)).find((account) => account.accountId === accountId) ?? null
  )
}

const toCurbAccount = (account: PayingAccount): CurbAccount => ({
  account_id: account.accountId,
  name: account.name,
  kind: account.kind,
  operator_names: account.operatorNames,
  vehicles: account.vehicles.length,
})

/** Lists the accounts of a region; users of operators get none. */
export async function listAccounts(
  state: State,
  { scope }: Viewer,
  regionId: string,
): Promise<{ items: CurbAccount[] }> {
  await findRegion(state, scope, regionId)
  return { items: scope.operators ? [] : (await readAccounts(state, scope, regionId)).map(toCurbAccount) }
}

/** Returns the text of a vehicle that is hashed, in the same form as for its events. */
const formatVehicle = ({ kind, value }: NonNullable<CurbAccountFields['vehicles']>[number]): string => {
  if (kind !== 'plate') return `${kind} ${value.trim()}`
  const [plate = '', jurisdiction = ''] = value.trim().toUpperCase().split(/\s+/, 2)
  return `plate ${plate.replaceAll(/[^\p{L}\p{N}]/gu, '')} ${jurisdiction}`
}

const makeConflict = (field: string, message: string): Problem =>
  new Problem('conflict', message, [{ path: `body.${field}`, message }])

/** Requires that no session can belong to two accounts. @throws Problem `conflict`. */
function requireDistinct(account: PayingAccount, accounts: readonly PayingAccount[]): void {
  for (const other of accounts) {
    if (other.accountId === account.accountId) continue
    const name = account.operatorNames.find((operator) => other.operatorNames.includes(operator))
    if (name !== undefined)
      throw makeConflict('operator_names', `Sessions of ${name} are those of the account ${other.name}.`)
    const otherVehicles = new Set(other.vehicles)
    if (account.vehicles.some((hash) => otherVehicles.has(hash)))
      throw makeConflict('vehicles', `One of the vehicles is of the account ${other.name}.`)
  }
}

/**
 * Adds or changes an account. Without `vehicles`, it retains those that it has.
 * @throws Problem `not_found`, or `conflict` if its id, operators or vehicles belong to another account.
 */
export async function saveAccount(
  state: State,
  { viewer: { scope }, params, body, at }: AccountCall,
  { isNew, hash }: { isNew: boolean; hash: HashVehicle },
): Promise<CurbAccount> {
  const { region_id: regionId, account_id: accountId } = params
  const { name, kind, operator_names: operatorNames, vehicles } = body
  const region = await findRegion(state, scope, regionId)
  const store = state.as(scope)
  const accounts = await readAccounts(state, scope, regionId)
  const storedAccount = accounts.find((account) => account.accountId === accountId)
  if (!isNew && !storedAccount) throw new Problem('not_found', 'There is no such account.')
  if (isNew) await requireNewId(store, region, { accountId, isAccount: storedAccount !== undefined })
  const account: PayingAccount = {
    accountId,
    name,
    kind,
    operatorNames: [...new Set(operatorNames)],
    vehicles: vehicles
      ? [...new Set(vehicles.map((vehicle) => hash(regionId, formatVehicle(vehicle))))]
      : (storedAccount?.vehicles ?? []),
  }
  requireDistinct(account, accounts)
  const columns = {
    name,
    kind,
    operator_names: JSON.stringify(account.operatorNames),
    vehicles: JSON.stringify(account.vehicles),
  }
  if (isNew)
    await store
      .insertInto('curb_account')
      .values({ region_id: regionId, account_id: accountId, ...columns, created_time: at })
      .execute()
  else
    await store
      .updateTable('curb_account')
      .set(columns)
      .where('region_id', '=', regionId)
      .where('account_id', '=', accountId)
      .execute()
  return toCurbAccount(account)
}

/** Requires that no account or operator has the id of a new account. @throws Problem `conflict`. */
async function requireNewId(
  store: Store,
  { organizationId }: Region,
  { accountId, isAccount }: { accountId: string; isAccount: boolean },
): Promise<void> {
  const operator = await store
    .selectFrom('operator')
    .select('slug')
    .where('organization_id', '=', organizationId)
    .where('slug', '=', accountId)
    .executeTakeFirst()
  if (isAccount || operator)
    throw makeConflict(
      'account_id',
      `There is an ${isAccount ? 'account' : 'operator'} '${accountId}' already.`,
    )
}

/** Deletes an account. @throws Problem `conflict` if it has invoices or charges. */
export async function deleteAccount(
  state: State,
  { scope }: Viewer,
  { region_id: regionId, account_id: accountId }: AccountKey,
): Promise<{ deleted: boolean }> {
  await findRegion(state, scope, regionId)
  const store = state.as(scope)
  for (const table of ['invoice', 'billing_charge'] as const) {
    const row = await store
      .selectFrom(table)
      .select('region_id')
      .where('region_id', '=', regionId)
      .where('operator', '=', accountId)
      .limit(1)
      .executeTakeFirst()
    if (row)
      throw new Problem('conflict', `This account has ${table === 'invoice' ? 'invoices' : 'charges'}.`)
  }
  const deleted = await store
    .deleteFrom('curb_account')
    .where('region_id', '=', regionId)
    .where('account_id', '=', accountId)
    .returning('account_id')
    .executeTakeFirst()
  if (!deleted) throw new Problem('not_found', 'There is no such account.')
  return { deleted: true }
}
