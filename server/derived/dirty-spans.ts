import type { ExpressionBuilder } from 'kysely'
import { appendTo } from '#contract/group-by.ts'
import { systemScope } from '#server/identity/scope.ts'
import { arraysAs, insertMissingRows } from '#server/stores/insert-rows.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { StateTables } from '#server/stores/state-tables.ts'
import type { State } from '#server/stores/state.ts'

/** Maximum number of rows in one statement. */
const rowsPerStatement = 2000

/** A product in a region, or one part of it, such as a layer that failed. */
export interface SpanOwner {
  product: string
  regionId: string
  part?: string
}

/** A dirty span and its requested version. */
export interface DirtySpan {
  span: string
  wanted: string
}

type ScopedState = Pick<State, 'as'>

/**
 * Increases the requested version (`wanted`) of spans that are not sealed. With `isDone`, their derived
 * version (`done`) is the same, so that they are not dirty. `time`: null is the clock of the store.
 */
async function increaseVersions(
  state: ScopedState,
  scope: Scope,
  { product, regionId, part = '' }: SpanOwner,
  { spans, time, isDone }: { spans: readonly string[]; time: Date | null; isDone: boolean },
): Promise<void> {
  const store = state.as(scope)
  const sortedSpans = [...new Set(spans)].toSorted()
  for (let start = 0; start < sortedSpans.length; start += rowsPerStatement)
    await store
      .insertInto('derived_span')
      .columns(['product', 'region_id', 'part', 'span', 'wanted', 'done', 'dirty_since'])
      .expression(({ fn, selectFrom, val }) => {
        const values = sortedSpans.slice(start, start + rowsPerStatement)
        const marked = arraysAs<'marked', { span: string }>(store, 'marked', {
          span: { type: 'text', values },
        })
        return (
          selectFrom(marked)
            .select([
              val(product).as('product'),
              val(regionId).as('region_id'),
              val(part).as('part'),
              'marked.span',
              val('1').as('wanted'),
              val(isDone ? '1' : '0').as('done'),
              (time ? val(time) : fn<Date>('now', [])).as('dirty_since'),
            ])
            .where(({ exists, not, selectFrom: selectSeals }) =>
              not(
                exists(
                  selectSeals('derived_seal')
                    .select('before_span')
                    .where('region_id', '=', regionId)
                    .where('product', '=', product)
                    .whereRef('before_span', '>', 'marked.span'),
                ),
              ),
            )
            // In order, so that concurrent statements do not deadlock.
            .orderBy('marked.span')
        )
      })
      // A dirty span is dirty since the earlier of the two marks.
      .onConflict((conflict) =>
        conflict.columns(['product', 'region_id', 'part', 'span']).doUpdateSet((row) => ({
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

/** Marks spans as dirty, also during their derivation. `time`: null is the clock of the store. */
export const markDirty = (
  state: ScopedState,
  scope: Scope,
  owner: SpanOwner,
  { spans, time = null }: { spans: readonly string[]; time?: Date | null },
): Promise<void> => increaseVersions(state, scope, owner, { spans, time, isDone: false })

/** Marks spans of several regions in one statement. They must be new and not sealed, such as runs. */
export const markNewSpans = (
  state: ScopedState,
  product: string,
  spans: readonly { regionId: string; span: string }[],
  time: Date,
): Promise<void> =>
  insertMissingRows(
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
      dirty_since: time,
    })),
  )

/** Counts a change of spans that the runner does not derive. Results from an earlier version are outdated. */
export const countSpanChanges = (
  state: ScopedState,
  scope: Scope,
  owner: SpanOwner,
  spans: readonly string[],
): Promise<void> => increaseVersions(state, scope, owner, { spans, time: null, isDone: true })

/** Spans are due if they became dirty before these times. */
export interface DueThresholds {
  /** For spans that were never derived. */
  first: Date
  /** For spans that were derived before. */
  again: Date
}

/**
 * Returns thresholds of spans that make results incomplete: those that were never derived, and those that
 * should have been derived again by now. Other dirty spans are only minutes out of date.
 */
export const getPendingThresholds = (settleAgainMs: number, now: number): DueThresholds => ({
  first: new Date(now),
  again: new Date(now - settleAgainMs),
})

/** Returns a condition for spans that are due. */
const isDue =
  ({ first, again }: DueThresholds) =>
  ({ and, eb, or }: ExpressionBuilder<StateTables, 'derived_span'>) =>
    or([
      and([eb('done', '=', '0'), eb('dirty_since', '<=', first)]),
      and([eb('done', '>', '0'), eb('dirty_since', '<=', again)]),
    ])

/** Lists the newest dirty spans, newest first; with `due` only due ones. */
export const listDirty = (
  state: ScopedState,
  scope: Scope,
  { product, regionId, part = '' }: SpanOwner,
  { limit, due = null }: { limit: number; due?: DueThresholds | null },
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

/** Lists dirty spans of parts from `first` to `last` (both included), sorted; with `due` only due ones. */
export async function listDirtyBetween(
  state: ScopedState,
  scope: Scope,
  { product, regionId, parts }: { product: string; regionId: string; parts: readonly string[] },
  { first, last, due = null }: { first: string; last: string; due?: DueThresholds | null },
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

/** Lists the parts of a product that have dirty spans of their own. */
export async function listDirtyParts(
  state: ScopedState,
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

/** Reads versions of spans from `first` to `last` (both included): numbers of changes. */
export async function readSpanVersions(
  state: ScopedState,
  scope: Scope,
  { product, regionId }: SpanOwner,
  { first, last, version = 'wanted' }: { first: string; last: string; version?: 'wanted' | 'done' },
): Promise<Map<string, bigint>> {
  const rows = await state
    .as(scope)
    .selectFrom('derived_span')
    .select(['span', version])
    .where('product', '=', product)
    .where('region_id', '=', regionId)
    .where('part', '=', '')
    .where('span', '>=', first)
    .where('span', '<=', last)
    .execute()
  return new Map(rows.map((row) => [row.span, BigInt(row[version])]))
}

/** Deletes all spans of a part that no longer exists. */
export async function deletePart(
  state: ScopedState,
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
 * Stores the versions that were derived. Spans that were marked in the meantime remain dirty and settle again
 * from `time`. With `isOnce`, spans that were not marked in the meantime are deleted instead.
 */
export async function finishSpans(
  state: ScopedState,
  scope: Scope,
  { product, regionId, part = '' }: SpanOwner,
  { spans, time, isOnce = false }: { spans: readonly DirtySpan[]; time: Date; isOnce?: boolean },
): Promise<void> {
  const spansByVersion = new Map<string, string[]>()
  for (const { span, wanted: version } of spans) appendTo(spansByVersion, version, span)
  const store = state.as(scope)
  for (const [version, versionSpans] of spansByVersion)
    if (isOnce)
      await store
        .deleteFrom('derived_span')
        .where('product', '=', product)
        .where('region_id', '=', regionId)
        .where('part', '=', part)
        .where('span', 'in', versionSpans)
        .where('wanted', '=', version)
        .execute()
    else
      await store
        .updateTable('derived_span')
        .set({ done: version, dirty_since: time })
        .where('product', '=', product)
        .where('region_id', '=', regionId)
        .where('part', '=', part)
        .where('span', 'in', versionSpans)
        .execute()
}

/** The number of dirty spans by product, region, part, and whether they were derived before (`isAgain`). */
export interface DirtyCount {
  product: string
  regionId: string
  part: string
  isAgain: boolean
  count: number
  /** Since when the oldest of them is dirty, ms. */
  since: number
}

/** Counts dirty spans by product, region and part. */
export async function countDirty(state: ScopedState, scope: Scope): Promise<DirtyCount[]> {
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

/** The progress of a product in one region. */
export interface SpanProgress {
  product: string
  regionId: string
  /** Name of the region. */
  text: string
  /** Number of dirty spans. */
  dirty: number
  /** Since when the oldest of them is dirty, ms; null if there is none. */
  since: number | null
  /** The newest derived span; null if there is none, or if the product deletes derived spans. */
  newest: string | null
}

/** Reads the progress of all products in the regions of a Scope. */
export async function readSpanProgress(state: ScopedState, scope: Scope): Promise<SpanProgress[]> {
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
