import type { ManagedOperator } from '#contract/managed-operators.ts'
import { Problem } from '#server/http/problem.ts'
import type { Viewer } from '#server/http/viewer.ts'
import { systemScope } from '#server/identity/scope.ts'
import type { Facts } from '#server/stores/facts.ts'
import { bind, facts as factTable, type ScopedTable, sql } from '#server/stores/sql.ts'
import type { State } from '#server/stores/state.ts'
import { allOperators, listOperators, findSendingOperators } from './list-operators.ts'

type Caller = Pick<Viewer, 'organizationId' | 'scope'>

export interface OperatorStores {
  state: State
  facts: Facts
}

interface NewOperator {
  slug: string
  name: string
  colorHex: string
  providerId: string | null
}

/** Tables of the fact store with a column `operator`. */
const operatorTables: readonly ScopedTable[] = [
  'trips',
  'vehicle_events',
  'vehicles',
  'trip_reports',
  'telemetry',
  'stops',
  'feed_batches',
]

/** Lists all operators by name, also those that are only known from trips, vehicles or feeds. */
export async function listManagedOperators(
  { state, facts }: OperatorStores,
  { organizationId, scope }: Caller,
): Promise<ManagedOperator[]> {
  const storedOperators = await state
    .as(scope)
    .selectFrom('operator')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .execute()
  const feeds = await state
    .as(scope)
    .selectFrom('feed')
    .select(({ fn }) => ['operator', fn.countAll<string>().as('count')])
    .where('operator', 'is not', null)
    .groupBy('operator')
    .execute()
  const [{ items }, sending] = await Promise.all([
    listOperators(state, facts, scope, allOperators),
    findSendingOperators(facts, scope),
  ])
  const hasTrips = (slug: string): boolean => sending.all.includes(slug)
  const countFeeds = (slug: string): number =>
    Number(feeds.find(({ operator }) => operator === slug)?.count ?? 0)
  const storedItems = storedOperators.map(
    ({ slug, name, color_hex: colorHex, provider_id: providerId }): ManagedOperator => ({
      slug,
      name,
      colorHex,
      providerId,
      isNamed: true,
      feeds: countFeeds(slug),
      hasTrips: hasTrips(slug),
    }),
  )
  const otherItems = items
    .filter(({ slug }) => !storedOperators.some((operator) => operator.slug === slug))
    .map((operator): ManagedOperator => ({
      ...operator,
      providerId: null,
      isNamed: false,
      feeds: countFeeds(operator.slug),
      hasTrips: hasTrips(operator.slug),
    }))
  return [...storedItems, ...otherItems].toSorted((a, b) => a.name.localeCompare(b.name))
}

async function findManagedOperator(
  stores: OperatorStores,
  caller: Caller,
  slug: string,
): Promise<ManagedOperator> {
  const managedOperator = (await listManagedOperators(stores, caller)).find(
    (operator) => operator.slug === slug,
  )
  if (!managedOperator) throw new Problem('not_found', `There is no operator '${slug}'.`)
  return managedOperator
}

/** Throws the Problem `conflict` if another operator of the organization has this provider id. */
async function checkProviderId(
  { state }: OperatorStores,
  { organizationId, scope }: Caller,
  slug: string,
  providerId: string | null,
): Promise<void> {
  if (providerId === null) return
  const conflictingOperator = await state
    .as(scope)
    .selectFrom('operator')
    .select('name')
    .where('organization_id', '=', organizationId)
    .where('provider_id', '=', providerId)
    .where('slug', '!=', slug)
    .executeTakeFirst()
  if (conflictingOperator)
    throw new Problem('conflict', `${conflictingOperator.name} has this provider id.`, [
      { path: 'body.providerId', message: `${conflictingOperator.name} has this provider id.` },
    ])
}

/** Adds an operator to the viewer's organization. */
export async function createOperator(
  stores: OperatorStores,
  caller: Caller,
  { slug, name, colorHex, providerId }: NewOperator,
): Promise<ManagedOperator> {
  await checkProviderId(stores, caller, slug, providerId)
  const account = await stores.state
    .as(caller.scope)
    .selectFrom('curb_account')
    .select('account_id')
    .where('account_id', '=', slug)
    .executeTakeFirst()
  if (account)
    throw new Problem('conflict', `There is an account of the curb '${slug}' already.`, [
      { path: 'body.slug', message: `There is an account of the curb '${slug}' already.` },
    ])
  const insertedRow = await stores.state
    .as(caller.scope)
    .insertInto('operator')
    .values({
      organization_id: caller.organizationId,
      slug,
      name,
      color_hex: colorHex,
      provider_id: providerId,
    })
    .onConflict((clash) => clash.doNothing())
    .returning('slug')
    .executeTakeFirst()
  if (!insertedRow)
    throw new Problem('conflict', `There is an operator '${slug}' already.`, [
      { path: 'body.slug', message: `There is an operator '${slug}' already.` },
    ])
  return findManagedOperator(stores, caller, slug)
}

/** Changes an operator. One that is only known from its data is added by the change. */
export async function changeOperator(
  stores: OperatorStores,
  caller: Caller,
  slug: string,
  changes: {
    name?: string | undefined
    colorHex?: string | undefined
    providerId?: string | null | undefined
  },
): Promise<ManagedOperator> {
  const operator = await findManagedOperator(stores, caller, slug)
  const newValues = {
    name: changes.name ?? operator.name,
    color_hex: changes.colorHex ?? operator.colorHex,
    provider_id: changes.providerId === undefined ? operator.providerId : changes.providerId,
  }
  await checkProviderId(stores, caller, slug, newValues.provider_id)
  await stores.state
    .as(caller.scope)
    .insertInto('operator')
    .values({ organization_id: caller.organizationId, slug, ...newValues })
    .onConflict((clash) => clash.columns(['organization_id', 'slug']).doUpdateSet(newValues))
    .execute()
  return findManagedOperator(stores, caller, slug)
}

/** Tables with rows that prevent deletion, and the message that says what to do. */
const blockingTables = [
  ['feed', 'This operator has feeds. Remove them first.'],
  ['invoice', 'This operator has invoices, which are stored for years.'],
  ['billing_charge', 'This operator has charges on its invoices. Delete them first.'],
] as const

/**
 * Deletes an operator.
 * @throws Problem `conflict` if it has data in any region, including those that the viewer cannot see.
 */
export async function deleteOperator(
  { state, facts }: OperatorStores,
  { organizationId, scope }: Caller,
  slug: string,
): Promise<{ deleted: boolean }> {
  await state
    .as(scope)
    .selectFrom('operator')
    .select('slug')
    .where('organization_id', '=', organizationId)
    .where('slug', '=', slug)
    .executeTakeFirstOrThrow(() => new Problem('not_found', `There is no operator '${slug}'.`))
  const regionIds = (
    await state
      .as(systemScope)
      .selectFrom('region')
      .select('region_id')
      .where('organization_id', '=', organizationId)
      .execute()
  ).map((row) => row.region_id)
  for (const [table, message] of blockingTables) {
    const row = regionIds.length
      ? await state
          .as(systemScope)
          .selectFrom(table)
          .select('region_id')
          .where('operator', '=', slug)
          .where('region_id', 'in', regionIds)
          .executeTakeFirst()
      : undefined
    if (row) throw new Problem('conflict', message)
  }
  for (const table of operatorTables) {
    const rows = await facts.rows(
      systemScope,
      sql`select 1 from ${factTable(table)} where region_id in ${bind('Array(String)', regionIds)} and operator = ${bind('String', slug)} limit 1`,
    )
    if (rows.length)
      throw new Problem(
        'conflict',
        'This operator has trips or vehicles here. What they did stays, so the operator does too.',
      )
  }
  await state
    .as(scope)
    .deleteFrom('operator')
    .where('organization_id', '=', organizationId)
    .where('slug', '=', slug)
    .execute()
  return { deleted: true }
}
