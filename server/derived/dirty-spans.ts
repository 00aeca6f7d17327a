import type { ExpressionBuilder } from 'kysely'
import { systemScope } from '#server/identity/scope.ts'
import { insertRows } from '#server/stores/insert-rows.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { StateTables } from '#server/stores/state-tables.ts'
import type { State } from '#server/stores/state.ts'
import { sealedBefore } from './sealed-spans.ts'

/** Rows of one statement. */
const rowsPerStatement = 2000

/** Spans of one product in one region; `part`: of one part only, such as a layer that failed. */
export interface SpanOwner {
  product: string
  regionId: string
  part?: string
}

/** A dirty span and the version that is wanted of it. */
export interface DirtySpan {
  span: string
  wanted: string
}

type Writer = Pick<State, 'as'>

async function countUp(
  state: Writer,
  scope: Scope,
  { product, regionId, part = '' }: SpanOwner,
  spans: readonly string[],
  at: Date | null,
  isDone: boolean,
): Promise<void> {
  const seal = await sealedBefore(state, scope, { product, regionId })
  const distinct = [...new Set(spans)].filter((span) => seal === null || span >= seal).toSorted()
  for (let from = 0; from < distinct.length; from += rowsPerStatement)
    await state
      .as(scope)
      .insertInto('derived_span')
      .values((eb) =>
        distinct.slice(from, from + rowsPerStatement).map((span) => ({
          product,
          region_id: regionId,
          part,
          span,
          wanted: '1',
          done: isDone ? '1' : '0',
          dirty_since: at ?? eb.fn<Date>('now', []),
        })),
      )
      .onConflict((there) =>
        there.columns(['product', 'region_id', 'part', 'span']).doUpdateSet((row) => ({
          wanted: row('derived_span.wanted', '+', '1'),
          ...(isDone ? { done: row('derived_span.wanted', '+', '1') } : {}),
          dirty_since: row
            .case()
            .when('derived_span.done', '<', row.ref('derived_span.wanted'))
            .then(row.fn<Date>('least', ['derived_span.dirty_since', 'excluded.dirty_since']))
            .else(row.ref('excluded.dirty_since'))
            .end(),
        })),
      )
      .execute()
}

/** Marks spans as dirty: the runner derives them again. A mark during a derivation is not lost. `at`: null is the clock of the store. */
export const markDirty = (
  state: Writer,
  scope: Scope,
  owner: SpanOwner,
  spans: readonly string[],
  at: Date | null = null,
): Promise<void> => countUp(state, scope, owner, spans, at, false)

/** Marks spans that nobody marked before, such as runs, of several regions in one statement. No seal is after them. */
export const markNewSpans = (
  state: Writer,
  product: string,
  spans: readonly { regionId: string; span: string }[],
  at: Date,
): Promise<void> =>
  insertRows(
    state.as(systemScope),
    'derived_span',
    {
      product: 'text',
      region_id: 'text',
      part: 'text',
      span: 'text',
      wanted: 'text',
      done: 'text',
      dirty_since: 'timestamptz',
    },
    spans.map(({ regionId, span }) => ({
      product,
      region_id: regionId,
      part: '',
      span,
      wanted: '1',
      done: '0',
      dirty_since: at,
    })),
    { skipsConflicts: true },
  )

/** Counts a change of spans that are derived on request: what was derived from an older version is out of date. */
export const countChange = (
  state: Writer,
  scope: Scope,
  owner: SpanOwner,
  spans: readonly string[],
): Promise<void> => countUp(state, scope, owner, spans, null, true)

/** Moments since which spans are dirty that are due: of those that were never derived, and of the others. */
export interface DueSince {
  first: Date
  again: Date
}

/** Spans that readers must know of: that were never derived, or did not settle. Others are as they were minutes ago, which is good enough. */
export const pendingSince = (settleAgainMs: number, now: number): DueSince => ({
  first: new Date(now),
  again: new Date(now - settleAgainMs),
})

const isDue =
  ({ first, again }: DueSince) =>
  ({ and, eb, or }: ExpressionBuilder<StateTables, 'derived_span'>) =>
    or([
      and([eb('done', '=', '0'), eb('dirty_since', '<=', first)]),
      and([eb('done', '>', '0'), eb('dirty_since', '<=', again)]),
    ])

/** The newest dirty spans, newest first; with `due` only those that are. */
export const listDirty = (
  state: Writer,
  scope: Scope,
  { product, regionId, part = '' }: SpanOwner,
  limit: number,
  due: DueSince | null = null,
): Promise<DirtySpan[]> =>
  state
    .as(scope)
    .selectFrom('derived_span')
    .select(['span', 'wanted'])
    .where('product', '=', product)
    .where('region_id', '=', regionId)
    .where('part', '=', part)
    .whereRef('done', '<', 'wanted')
    .$if(due !== null, (query) => query.where(isDue(due!)))
    .orderBy('span', 'desc')
    .limit(limit)
    .execute()

/** Dirty spans of some parts between two spans, both included, each once, in order; with `due` only those that are. */
export async function dirtyBetween(
  state: Writer,
  scope: Scope,
  { product, regionId, parts }: { product: string; regionId: string; parts: readonly string[] },
  first: string,
  last: string,
  due: DueSince | null = null,
): Promise<string[]> {
  const rows = await state
    .as(scope)
    .selectFrom('derived_span')
    .select('span')
    .distinct()
    .where('product', '=', product)
    .where('region_id', '=', regionId)
    .where('part', 'in', parts)
    .where('span', '>=', first)
    .where('span', '<=', last)
    .whereRef('done', '<', 'wanted')
    .$if(due !== null, (query) => query.where(isDue(due!)))
    .orderBy('span')
    .execute()
  return rows.map(({ span }) => span)
}

/** The parts of a product that are dirty by themselves. */
export async function dirtyParts(
  state: Writer,
  scope: Scope,
  { product, regionId }: SpanOwner,
): Promise<Set<string>> {
  const rows = await state
    .as(scope)
    .selectFrom('derived_span')
    .select('part')
    .distinct()
    .where('product', '=', product)
    .where('region_id', '=', regionId)
    .where('part', '!=', '')
    .whereRef('done', '<', 'wanted')
    .execute()
  return new Set(rows.map(({ part }) => part))
}

/** Changes of spans between two, both included, by span: how often each was marked or counted; `done`: those that were derived. */
export async function spanVersions(
  state: Writer,
  scope: Scope,
  { product, regionId }: SpanOwner,
  first: string,
  last: string,
  of: 'wanted' | 'done' = 'wanted',
): Promise<Map<string, bigint>> {
  const rows = await state
    .as(scope)
    .selectFrom('derived_span')
    .select(['span', of])
    .where('product', '=', product)
    .where('region_id', '=', regionId)
    .where('part', '=', '')
    .where('span', '>=', first)
    .where('span', '<=', last)
    .execute()
  return new Map(rows.map((row) => [row.span, BigInt(row[of])]))
}

/** Forgets all spans of a part that no longer exists. */
export async function forgetPart(
  state: Writer,
  scope: Scope,
  { product, regionId, part = '' }: SpanOwner,
): Promise<void> {
  await state
    .as(scope)
    .deleteFrom('derived_span')
    .where('product', '=', product)
    .where('region_id', '=', regionId)
    .where('part', '=', part)
    .execute()
}

/**
 * Records the versions that were derived. Spans that were marked since stay dirty, and settle again from now on. `isOnce`: removes spans
 * instead.
 */
export async function finishSpans(
  state: Writer,
  scope: Scope,
  { product, regionId, part = '' }: SpanOwner,
  spans: readonly DirtySpan[],
  at: Date,
  isOnce = false,
): Promise<void> {
  const byVersion = new Map<string, string[]>()
  for (const { span, wanted } of spans) byVersion.set(wanted, [...(byVersion.get(wanted) ?? []), span])
  const store = state.as(scope)
  for (const [wanted, list] of byVersion)
    if (isOnce)
      await store
        .deleteFrom('derived_span')
        .where('product', '=', product)
        .where('region_id', '=', regionId)
        .where('part', '=', part)
        .where('span', 'in', list)
        .where('wanted', '=', wanted)
        .execute()
    else
      await store
        .updateTable('derived_span')
        .set({ done: wanted, dirty_since: at })
        .where('product', '=', product)
        .where('region_id', '=', regionId)
        .where('part', '=', part)
        .where('span', 'in', list)
        .execute()
}

/** Dirty spans by product, region, part, and whether they were derived before. */
export interface DirtyCount {
  product: string
  regionId: string
  part: string
  isAgain: boolean
  count: number
  /** ms. */
  since: number
}

export async function countDirty(state: Writer, scope: Scope): Promise<DirtyCount[]> {
  const rows = await state
    .as(scope)
    .selectFrom('derived_span')
    .select(({ eb, fn }) => [
      'product',
      'region_id',
      'part',
      eb('done', '>', '0').as('is_again'),
      fn.countAll<string>().as('count'),
      fn.min('dirty_since').as('since'),
    ])
    .whereRef('done', '<', 'wanted')
    .groupBy(['product', 'region_id', 'part', 'is_again'])
    .orderBy('part')
    .execute()
  return rows.map(({ product, region_id: regionId, part, is_again: isAgain, count, since }) => ({
    product,
    regionId,
    part,
    isAgain: Boolean(isAgain),
    count: Number(count),
    since: since.getTime(),
  }))
}

/** How far a product is in one region. */
export interface SpanProgress {
  product: string
  regionId: string
  /** Name of the region. */
  text: string
  /** Spans that wait to be derived. */
  dirty: number
  /** Since when the oldest of them is dirty, ms; null: none is. */
  since: number | null
  /** The newest derived span; null: none, or the product forgets derived spans. */
  newest: string | null
}

/** How far all products are in the regions of a Scope. */
export async function spanProgress(state: Writer, scope: Scope): Promise<SpanProgress[]> {
  const rows = await state
    .as(scope)
    .selectFrom('derived_span')
    .innerJoin('region', 'region.region_id', 'derived_span.region_id')
    .select(({ fn, ref }) => [
      'product',
      'derived_span.region_id',
      'region.text',
      fn.countAll<string>().filterWhere('done', '<', ref('wanted')).as('dirty'),
      fn.min<Date | null>('dirty_since').filterWhere('done', '<', ref('wanted')).as('since'),
      fn
        .max<string | null>('span')
        .filterWhere('done', '>=', ref('wanted'))
        .filterWhere('part', '=', '')
        .as('newest'),
    ])
    .groupBy(['product', 'derived_span.region_id', 'region.text'])
    .orderBy('product')
    .orderBy('region.text')
    .execute()
  return rows.map(({ product, region_id: regionId, text, dirty, since, newest }) => ({
    product,
    regionId,
    text,
    dirty: Number(dirty),
    since: since?.getTime() ?? null,
    newest,
  }))
}
