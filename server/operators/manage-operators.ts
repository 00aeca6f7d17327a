import type { ManagedOperator } from '#contract/managed-operators.ts'
import { Problem } from '#server/http/problem.ts'
import type { Viewer } from '#server/http/viewer.ts'
import { systemScope } from '#server/identity/scope.ts'
import type { Facts } from '#server/stores/facts.ts'
import { bind, facts, type ScopedTable, sql } from '#server/stores/sql.ts'
import type { State } from '#server/stores/state.ts'
import { listOperators, sendingOperators } from './list-operators.ts'

type By = Pick<Viewer, 'organizationId' | 'scope'>

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

/** Facts of which each row is an operator's. */
const ofOperators: readonly ScopedTable[] = [
  'trips',
  'vehicle_events',
  'vehicles',
  'trip_reports',
  'telemetry',
  'stops',
  'feed_batches',
]

/** Operators that somebody named, and those that are known from trips, vehicles or feeds only; by name. */
export async function managedOperators(
  { state, facts: store }: OperatorStores,
  { organizationId, scope }: By,
): Promise<ManagedOperator[]> {
  const named = await state
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
    listOperators(state, store, scope, { orderBy: 'name', page: 1, size: 1000 }),
    sendingOperators(store, scope),
  ])
  const hasTrips = (slug: string): boolean => sending.all.includes(slug)
  const feedsOf = (slug: string): number =>
    Number(feeds.find(({ operator }) => operator === slug)?.count ?? 0)
  const ones = named.map(({ slug, name, color_hex: colorHex, provider_id: providerId }): ManagedOperator => ({
    slug,
    name,
    colorHex,
    providerId,
    isNamed: true,
    feeds: feedsOf(slug),
    hasTrips: hasTrips(slug),
  }))
  const others = items
    .filter(({ slug }) => !named.some((each) => each.slug === slug))
    .map((each): ManagedOperator => ({
      ...each,
      providerId: null,
      isNamed: false,
      feeds: feedsOf(each.slug),
      hasTrips: hasTrips(each.slug),
    }))
  return [...ones, ...others].toSorted((a, b) => a.name.localeCompare(b.name))
}

async function findOne(stores: OperatorStores, by: By, slug: string): Promise<ManagedOperator> {
  const found = (await managedOperators(stores, by)).find((each) => each.slug === slug)
  if (!found) throw new Problem('not_found', `There is no operator '${slug}'.`)
  return found
}

async function checkProviderId(
  { state }: OperatorStores,
  { organizationId, scope }: By,
  slug: string,
  providerId: string | null,
): Promise<void> {
  if (providerId === null) return
  const other = await state
    .as(scope)
    .selectFrom('operator')
    .select('name')
    .where('organization_id', '=', organizationId)
    .where('provider_id', '=', providerId)
    .where('slug', '!=', slug)
    .executeTakeFirst()
  if (other)
    throw new Problem('conflict', `${other.name} has this provider id.`, [
      { path: 'body.providerId', message: `${other.name} has this provider id.` },
    ])
}

/** Adds an operator to the viewer's organization. */
export async function createOperator(
  stores: OperatorStores,
  by: By,
  { slug, name, colorHex, providerId }: NewOperator,
): Promise<ManagedOperator> {
  await checkProviderId(stores, by, slug, providerId)
  const account = await stores.state
    .as(by.scope)
    .selectFrom('curb_account')
    .select('account_id')
    .where('account_id', '=', slug)
    .executeTakeFirst()
  if (account)
    throw new Problem('conflict', `There is an account of the curb '${slug}' already.`, [
      { path: 'body.slug', message: `There is an account of the curb '${slug}' already.` },
    ])
  const made = await stores.state
    .as(by.scope)
    .insertInto('operator')
    .values({ organization_id: by.organizationId, slug, name, color_hex: colorHex, provider_id: providerId })
    .onConflict((clash) => clash.doNothing())
    .returning('slug')
    .executeTakeFirst()
  if (!made)
    throw new Problem('conflict', `There is an operator '${slug}' already.`, [
      { path: 'body.slug', message: `There is an operator '${slug}' already.` },
    ])
  return findOne(stores, by, slug)
}

/** Changes an operator; one that is known from trips only is named by it. */
export async function changeOperator(
  stores: OperatorStores,
  by: By,
  slug: string,
  change: {
    name?: string | undefined
    colorHex?: string | undefined
    providerId?: string | null | undefined
  },
): Promise<ManagedOperator> {
  const now = await findOne(stores, by, slug)
  const next = {
    name: change.name ?? now.name,
    color_hex: change.colorHex ?? now.colorHex,
    provider_id: change.providerId === undefined ? now.providerId : change.providerId,
  }
  await checkProviderId(stores, by, slug, next.provider_id)
  await stores.state
    .as(by.scope)
    .insertInto('operator')
    .values({ organization_id: by.organizationId, slug, ...next })
    .onConflict((clash) => clash.columns(['organization_id', 'slug']).doUpdateSet(next))
    .execute()
  return findOne(stores, by, slug)
}

/** State that holds an operator, with what to do about it. */
const stateOfOperators = [
  ['feed', 'This operator has feeds. Remove them first.'],
  ['invoice', 'This operator has invoices, which are stored for years.'],
  ['billing_charge', 'This operator has charges on its invoices. Delete them first.'],
] as const

/** Removes an operator of which nothing is left: in all regions of the organization, also those that the viewer does not see. */
export async function deleteOperator(
  { state, facts: store }: OperatorStores,
  { organizationId, scope }: By,
  slug: string,
): Promise<{ deleted: boolean }> {
  await state
    .as(scope)
    .selectFrom('operator')
    .select('slug')
    .where('organization_id', '=', organizationId)
    .where('slug', '=', slug)
    .executeTakeFirstOrThrow(() => new Problem('not_found', `There is no operator '${slug}'.`))
  const regions = (
    await state
      .as(systemScope)
      .selectFrom('region')
      .select('region_id')
      .where('organization_id', '=', organizationId)
      .execute()
  ).map((row) => row.region_id)
  for (const [table, problem] of stateOfOperators) {
    const row = regions.length
      ? await state
          .as(systemScope)
          .selectFrom(table)
          .select('region_id')
          .where('operator', '=', slug)
          .where('region_id', 'in', regions)
          .executeTakeFirst()
      : undefined
    if (row) throw new Problem('conflict', problem)
  }
  for (const table of ofOperators) {
    const rows = await store.rows(
      systemScope,
      sql`select 1 from ${facts(table)} where region_id in ${bind('Array(String)', regions)} and operator = ${bind('String', slug)} limit 1`,
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
