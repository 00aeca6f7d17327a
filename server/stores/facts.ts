import { factQueryDuration, factSessionsBusy } from '#server/metrics/server-metrics.ts'
import { runTraced } from '#server/metrics/traces.ts'
import {
  type Engine,
  type FileTarget,
  type InsertOptions,
  type Limits,
  defaultLimits,
  type WriteOptions,
} from './engine.ts'
import { createFactsMaintenance, type FactsMaintenance } from './facts-maintenance.ts'
import { InsertGroups, maxGroupedBytes } from './insert-groups.ts'
import { Workloads } from './workloads.ts'
import { type CallerQueries, QueryCounts } from './query-counts.ts'
import type { Scope } from './scope.ts'
import {
  bind,
  identifier,
  isScoped,
  joinSql,
  type OpenTable,
  renderSql,
  type ScopedTable,
  type Sql,
  sql,
} from './sql.ts'

/** Limits that replace the defaults, and a signal that kills the query. */
export interface QueryOptions {
  limits?: Partial<Limits>
  signal?: AbortSignal
}

export interface AddedRows extends QueryOptions, Pick<InsertOptions, 'areDistinct'> {
  columns: readonly string[]
  /** The query that returns the rows to insert. */
  rows: Sql
}

export interface InsertedRows extends Pick<InsertOptions, 'areDistinct'> {
  columns: readonly string[]
  regionId: string
  lines: Uint8Array
}

/** Tables that are partitioned by import. */
export type StagingTable = 'trips_staging' | 'curb_payments_staging' | 'curb_payment_rows'

/** The fact store: every query requires a Scope. */
export interface Facts {
  /** Rows of a query, limited to the Scope. */
  rows<Row>(scope: Scope, query: Sql, options?: QueryOptions): Promise<Row[]>
  /** Writes the rows of a query, limited to the Scope, to a new file and returns their number. */
  write(
    scope: Scope,
    query: Sql,
    target: FileTarget,
    options?: WriteOptions & { limits?: Partial<Limits> },
  ): Promise<number>
  /** Deletes rows of a table, limited to the Scope. */
  remove(scope: Scope, table: ScopedTable | OpenTable, where: Sql, options?: QueryOptions): Promise<void>
  /** Inserts the rows of a query into a table. The query reads within the Scope, so its rows are within it too. */
  add(scope: Scope, table: ScopedTable, addition: AddedRows): Promise<void>
  /** Inserts tab-separated rows of one region. */
  insert(scope: Scope, table: ScopedTable, insertion: InsertedRows): Promise<void>
  /** Inserts rows in RowBinary into a table without facts of a region, such as a layer index. */
  insertOpen(table: OpenTable, columns: readonly string[], rows: Uint8Array): Promise<void>
  /** Deletes the rows of exports with finished files. */
  emptyExports(exportIds: readonly string[]): Promise<void>
  /** Deletes the staged rows of an import, by default those of trips. */
  emptyStaging(importId: string, tables?: readonly StagingTable[]): Promise<void>
  /** As in Engine. */
  dictionaryLogin?: string
  /** Creates or drops a dictionary over open tables. The statement may contain only validated names. */
  define(statement: string): Promise<void>
  /** Queries by caller in the last ten minutes. */
  queryCounts(): CallerQueries[]
  maintenance: FactsMaintenance
  close(): Promise<void>
}

/** Kinds of queries, as labels of the metrics. */
type QueryKind = 'read' | 'export' | 'change' | 'insert'

/** Runs a query and records its duration. */
async function measure<Result>(kind: QueryKind, query: () => Promise<Result>): Promise<Result> {
  const beginMs = performance.now()
  factSessionsBusy.inc()
  try {
    return await runTraced('client', `facts ${kind}`, { 'db.system': 'clickhouse' }, query)
  } finally {
    factSessionsBusy.inc({}, -1)
    factQueryDuration.observe({ kind }, (performance.now() - beginMs) / 1000)
  }
}

/** Returns unchecked SQL text. For changes only, which limit rows to the Scope themselves. */
const toUncheckedSql = (table: string): Sql => ({ strings: [table], values: [] })

export function createFacts(engine: Engine): Facts {
  const workloads = new Workloads()
  const counts = new QueryCounts()
  const run = <Result>(
    kind: QueryKind,
    query: () => Promise<Result>,
    signal?: AbortSignal,
  ): Promise<Result> => workloads.run(() => measure(kind, () => counts.count(query)), signal)
  const insertGroups = new InsertGroups((table, columns, lines) =>
    run('insert', () => engine.insert(table, columns, lines)),
  )
  const change = async (scope: Scope, statement: Sql, options: QueryOptions): Promise<void> => {
    const { text, parameters } = renderSql(statement, scope)
    await run(
      'change',
      () => engine.command(text, parameters, { ...defaultLimits, seconds: 600, ...options.limits }),
      options.signal,
    )
  }
  const dropPartition = async (table: StagingTable | 'export_rows', id: string): Promise<void> => {
    if (!/^[0-9a-f-]{36}$/.test(id)) throw new Error(`Not an id: ${id}`)
    await run('change', () =>
      engine.command(`alter table ${table} drop partition '${id}'`, {}, defaultLimits),
    )
  }
  return {
    async rows<Row>(scope: Scope, query: Sql, options: QueryOptions = {}) {
      const { text, parameters } = renderSql(query, scope)
      return (await run(
        'read',
        () => engine.rows(text, parameters, { ...defaultLimits, ...options.limits }, options.signal),
        options.signal,
      )) as Row[]
    },
    async write(scope, query, target, { limits, ...options } = {}) {
      const { text, parameters } = renderSql(query, scope)
      return run(
        'export',
        () =>
          engine.write(text, parameters, { ...target, ...options, limits: { ...defaultLimits, ...limits } }),
        options.signal,
      )
    },
    async remove(scope, table, where, options = {}) {
      if (scope.organizationId !== null && !scope.regionIds)
        throw new Error('A Scope of an organization must name its regions')
      const scopeCondition =
        isScoped(table) && scope.regionIds
          ? sql`region_id in ${bind('Array(String)', scope.regionIds)} and `
          : sql``
      await change(
        scope,
        sql`delete from ${toUncheckedSql(table)} where ${scopeCondition}(${where})`,
        options,
      )
    },
    add: (scope, table, { columns, rows, areDistinct = false, ...options }) =>
      change(
        scope,
        sql`insert into ${toUncheckedSql(table)} (${joinSql(
          columns.map((name) => identifier(name)),
          ', ',
        )}) settings optimize_on_insert=${toUncheckedSql(areDistinct ? '0' : '1')} ${rows}`,
        options,
      ),
    async insert(scope, table, { columns, regionId, lines, areDistinct }) {
      if (scope.regionIds && !scope.regionIds.includes(regionId))
        throw new Error(`Region ${regionId} is outside of the Scope`)
      await (lines.length < maxGroupedBytes
        ? insertGroups.insert(table, columns, regionId, lines)
        : run('insert', () => engine.insert(table, columns, lines, { areDistinct })))
    },
    insertOpen: (table, columns, rows) =>
      run('insert', () => engine.insert(table, columns, rows, { format: 'RowBinary' })),
    async emptyExports(exportIds) {
      for (const exportId of exportIds) await dropPartition('export_rows', exportId)
    },
    async emptyStaging(importId, tables = ['trips_staging']) {
      for (const table of tables) await dropPartition(table, importId)
    },
    ...(engine.dictionaryLogin ? { dictionaryLogin: engine.dictionaryLogin } : {}),
    define: (statement) => run('change', () => engine.command(statement, {}, defaultLimits)),
    queryCounts: () => counts.list(),
    maintenance: createFactsMaintenance(engine),
    close: () => engine.close(),
  }
}

/**
 * Returns a function that returns the next version of rows in the fact store: microseconds since 1970, or the
 * last version plus one, so that versions increase within a millisecond and when the clock is set back.
 */
export function createVersionCounter(nowMs: () => number): () => bigint {
  let lastVersion = 0n
  return () => {
    const version = BigInt(nowMs()) * 1000n
    lastVersion = version > lastVersion ? version : lastVersion + 1n
    return lastVersion
  }
}
