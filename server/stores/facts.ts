import { type Engine, type Limits, defaultLimits } from './engine.ts'
import { Lanes } from './lanes.ts'
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

export interface QueryOptions {
  limits?: Partial<Limits>
  signal?: AbortSignal
}

/** The fact store: no question without a Scope. */
export interface Facts {
  /** Rows of a question, inside the Scope. */
  rows<Row>(scope: Scope, question: Sql, asking?: QueryOptions): Promise<Row[]>
  /** Removes rows of a table, inside the Scope. */
  remove(scope: Scope, table: ScopedTable | OpenTable, where: Sql, asking?: QueryOptions): Promise<void>
  /** Adds the rows of a question to a table. The question reads inside the Scope, so what it yields lies there. `areDistinct` as in Engine. */
  add(
    scope: Scope,
    table: ScopedTable,
    columns: readonly string[],
    rows: Sql,
    asking?: QueryOptions & { areDistinct?: boolean },
  ): Promise<void>
  /** Tab-separated rows of one region into a table; `areDistinct` as in Engine. */
  insert(
    scope: Scope,
    table: ScopedTable,
    columns: readonly string[],
    regionId: string,
    lines: Uint8Array,
    areDistinct?: boolean,
  ): Promise<void>
  /** Inserts rows in RowBinary into an open table, which has no region: an index of a layer. */
  insertOpen(table: OpenTable, columns: readonly string[], rows: Uint8Array): Promise<void>
  /** Empties what waits of an import. */
  emptyStaging(importId: string): Promise<void>
  /** Empties the lists of touched vehicles and trips of derivations that are done. */
  emptyRuns(runIds: readonly string[]): Promise<void>
  /** As in Engine. */
  dictionaryLogin?: string
  /** Defines or drops a dictionary over open tables: text made of checked names only. */
  define(statement: string): Promise<void>
  close(): Promise<void>
}

/** A table's bare name: for changes only, which limit themselves to the Scope. */
const raw = (table: string): Sql => ({ strings: [table], values: [] })

export function createFacts(engine: Engine): Facts {
  const lanes = new Lanes()
  const change = async (scope: Scope, statement: Sql, asking: QueryOptions): Promise<void> => {
    const { text, parameters } = renderSql(statement, scope)
    await lanes.run(
      () => engine.command(text, parameters, { ...defaultLimits, seconds: 600, ...asking.limits }),
      asking.signal,
    )
  }
  return {
    async rows<Row>(scope: Scope, question: Sql, asking: QueryOptions = {}) {
      const { text, parameters } = renderSql(question, scope)
      return (await lanes.run(
        () => engine.rows(text, parameters, { ...defaultLimits, ...asking.limits }, asking.signal),
        asking.signal,
      )) as Row[]
    },
    async remove(scope, table, where, asking = {}) {
      if (scope.organizationId !== null && !scope.regionIds)
        throw new Error('A Scope of an organization must name its regions')
      const within =
        isScoped(table) && scope.regionIds
          ? sql`region_id in ${bind('Array(String)', scope.regionIds)} and `
          : sql``
      await change(scope, sql`delete from ${raw(table)} where ${within}(${where})`, asking)
    },
    add: (scope, table, columns, rows, { areDistinct = false, ...asking } = {}) =>
      change(
        scope,
        sql`insert into ${raw(table)} (${joinSql(
          columns.map((name) => identifier(name)),
          ', ',
        )}) settings optimize_on_insert=${raw(areDistinct ? '0' : '1')} ${rows}`,
        asking,
      ),
    async insert(scope, table, columns, regionId, lines, areDistinct) {
      if (scope.regionIds && !scope.regionIds.includes(regionId))
        throw new Error(`Region ${regionId} is outside of the Scope`)
      await lanes.run(() => engine.insert(table, columns, lines, { areDistinct }))
    },
    insertOpen: (table, columns, rows) =>
      lanes.run(() => engine.insert(table, columns, rows, { format: 'RowBinary' })),
    async emptyStaging(importId) {
      if (!/^[0-9a-f-]{36}$/.test(importId)) throw new Error(`Not an id: ${importId}`)
      await lanes.run(() =>
        engine.command(`alter table trips_staging drop partition '${importId}'`, {}, defaultLimits),
      )
    },
    async emptyRuns(runIds) {
      for (const runId of runIds) {
        if (!/^[0-9a-f-]{36}$/.test(runId)) throw new Error(`Not an id: ${runId}`)
        for (const table of ['fleet_dirty', 'trip_dirty'])
          await lanes.run(() =>
            engine.command(`alter table ${table} drop partition '${runId}'`, {}, defaultLimits),
          )
      }
    },
    ...(engine.dictionaryLogin ? { dictionaryLogin: engine.dictionaryLogin } : {}),
    define: (statement) => lanes.run(() => engine.command(statement, {}, defaultLimits)),
    close: () => engine.close(),
  }
}
