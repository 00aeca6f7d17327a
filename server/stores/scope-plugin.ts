import {
  AliasNode,
  AndNode,
  BinaryOperationNode,
  ColumnNode,
  type ColumnUpdateNode,
  type DeleteQueryNode,
  IdentifierNode,
  type InsertQueryNode,
  type JoinNode,
  type KyselyPlugin,
  OnNode,
  OperationNodeTransformer,
  OperatorNode,
  type OperationNode,
  ParensNode,
  PrimitiveValueListNode,
  type QueryId,
  RawNode,
  ReferenceNode,
  type RootOperationNode,
  SelectQueryNode,
  TableNode,
  type UpdateQueryNode,
  ValueListNode,
  ValueNode,
  ValuesNode,
  WhereNode,
} from 'kysely'
import type { Scope } from './scope.ts'
import { scopeColumns } from './state-tables.ts'

/** A query would read or change rows outside of its Scope. */
export class OutsideScope extends Error {
  override name = 'OutsideScope'
}

interface TableSource {
  table: string
  alias: string
}

/** Statements with tables that can be analyzed; others (merge, raw SQL, DDL) are reserved for the system. */
const scopedNodeKinds: readonly string[] = [
  'SelectQueryNode',
  'InsertQueryNode',
  'UpdateQueryNode',
  'DeleteQueryNode',
]
const tableKeywordPattern = /\b(from|join|into|update|table|using)\b/i

const getSource = (node: OperationNode): TableSource | null => {
  if (TableNode.is(node)) return { table: node.table.identifier.name, alias: node.table.identifier.name }
  if (AliasNode.is(node) && TableNode.is(node.node) && IdentifierNode.is(node.alias))
    return { table: node.node.table.identifier.name, alias: node.alias.name }
  return null
}

/** Returns the column and values to which the Scope limits a table; null if it is unlimited. */
function getScopeLimit(scope: Scope, table: string): { column: string; values: readonly string[] } | null {
  const column = Object.hasOwn(scopeColumns, table) ? scopeColumns[table as keyof typeof scopeColumns] : null
  if (!column) throw new OutsideScope(`No Scope is known for the table ${table}`)
  if (scope.organizationId === null) return null
  if (column === 'system') throw new OutsideScope(`The table ${table} is the system's own`)
  if (column === 'region_id') {
    if (!scope.regionIds) throw new OutsideScope('A Scope of an organization must name its regions')
    return { column, values: scope.regionIds }
  }
  return { column, values: [scope.organizationId] }
}

/** Combines a query's condition, in parentheses, with the limits of a Scope. */
const addWhere = (condition: OperationNode | undefined, limit: OperationNode): OperationNode =>
  condition ? AndNode.create(ParensNode.create(condition), limit) : limit

class ScopeTransformer extends OperationNodeTransformer {
  readonly #scope: Scope
  constructor(scope: Scope) {
    super()
    this.#scope = scope
  }

  /** Returns the condition that limits tables to the Scope; null if none is limited. */
  #limitTo(sources: readonly (TableSource | null)[]): OperationNode | null {
    const conditions = sources.flatMap((source): OperationNode[] => {
      const limit = source && getScopeLimit(this.#scope, source.table)
      if (!source || !limit) return []
      // An empty list is not valid SQL, and no row has an empty id.
      const values = limit.values.length ? limit.values : ['']
      const reference = ReferenceNode.create(ColumnNode.create(limit.column), TableNode.create(source.alias))
      return [
        BinaryOperationNode.create(
          reference,
          OperatorNode.create('in'),
          PrimitiveValueListNode.create(values),
        ),
      ]
    })
    return conditions.length
      ? conditions.reduce((conjunction, condition) => AndNode.create(conjunction, condition))
      : null
  }

  #where(node: { where?: WhereNode }, sources: readonly (TableSource | null)[]): { where?: WhereNode } {
    const limits = this.#limitTo(sources)
    return limits ? { where: WhereNode.create(addWhere(node.where?.where, limits)) } : {}
  }

  /** The limit of a left join belongs to its condition, because rows without a match must remain. */
  #on(join: JoinNode): JoinNode {
    const limits = this.#limitTo([getSource(join.table)])
    return limits ? { ...join, on: OnNode.create(addWhere(join.on?.on, limits)) } : join
  }

  /** Raw SQL in place of a table could name any table. */
  #checkSource(node: OperationNode): void {
    const source = AliasNode.is(node) ? node.node : node
    if (this.#scope.organizationId !== null && RawNode.is(source))
      throw new OutsideScope("Plain SQL in place of a table is the system's own")
  }

  /** Throws if an update would move a row out of the Scope. */
  #checkMoves(table: TableNode, updates: readonly ColumnUpdateNode[]): void {
    const limit = getScopeLimit(this.#scope, table.table.identifier.name)
    if (!limit) return
    for (const { column, value } of updates) {
      const columnNode = ReferenceNode.is(column) ? column.column : column
      const name = ColumnNode.is(columnNode) ? columnNode.column.name : null
      if (name === limit.column && !(ValueNode.is(value) && limit.values.includes(String(value.value))))
        throw new OutsideScope(`A change of ${limit.column} would move a row out of the Scope`)
    }
  }

  protected override transformRaw(node: RawNode, queryId?: QueryId): RawNode {
    if (
      this.#scope.organizationId !== null &&
      (node.sqlFragments.some((text) => tableKeywordPattern.test(text)) ||
        node.parameters.some((parameter) => TableNode.is(parameter)))
    )
      throw new OutsideScope("Plain SQL that names a table is the system's own")
    return super.transformRaw(node, queryId)
  }

  protected override transformSelectQuery(node: SelectQueryNode, queryId?: QueryId): SelectQueryNode {
    const limitedNode = super.transformSelectQuery(node, queryId)
    const isLeft = (join: JoinNode): boolean => join.joinType === 'LeftJoin'
    const tables = [
      ...(node.from?.froms ?? []),
      ...(node.joins ?? []).filter((join) => !isLeft(join)).map((join) => join.table),
    ]
    const joins = limitedNode.joins
      ? { joins: limitedNode.joins.map((join) => (isLeft(join) ? this.#on(join) : join)) }
      : {}
    for (const table of [...tables, ...(node.joins ?? []).map((join) => join.table)]) this.#checkSource(table)
    return { ...limitedNode, ...joins, ...this.#where(limitedNode, tables.map(getSource)) }
  }
  protected override transformUpdateQuery(node: UpdateQueryNode, queryId?: QueryId): UpdateQueryNode {
    const limitedNode = super.transformUpdateQuery(node, queryId)
    const tables = [
      ...(node.table ? [node.table] : []),
      ...(node.from?.froms ?? []),
      ...(node.joins ?? []).map((join) => join.table),
    ]
    for (const table of tables) this.#checkSource(table)
    const changedTable = node.table && AliasNode.is(node.table) ? node.table.node : node.table
    if (!changedTable || !TableNode.is(changedTable)) throw new OutsideScope('A change must name one table')
    this.#checkMoves(changedTable, node.updates ?? [])
    return { ...limitedNode, ...this.#where(limitedNode, tables.map(getSource)) }
  }
  protected override transformDeleteQuery(node: DeleteQueryNode, queryId?: QueryId): DeleteQueryNode {
    const limitedNode = super.transformDeleteQuery(node, queryId)
    const tables = [
      ...node.from.froms,
      ...(node.using?.tables ?? []),
      ...(node.joins ?? []).map((join) => join.table),
    ]
    for (const table of tables) this.#checkSource(table)
    return { ...limitedNode, ...this.#where(limitedNode, tables.map(getSource)) }
  }
  protected override transformInsertQuery(node: InsertQueryNode, queryId?: QueryId): InsertQueryNode {
    const limit = node.into ? getScopeLimit(this.#scope, node.into.table.identifier.name) : null
    if (limit) {
      const index = (node.columns ?? []).findIndex((column) => column.column.name === limit.column)
      // In `insert … select`, the column must be a constant.
      const values = node.values && ValuesNode.is(node.values) ? node.values.values : [node.values]
      const rows = values.filter((row) => row !== undefined)
      const getValue = (row: OperationNode): unknown => {
        if (PrimitiveValueListNode.is(row)) return row.values[index]
        const selected = SelectQueryNode.is(row) ? row.selections?.[index]?.selection : undefined
        const constant = selected && AliasNode.is(selected) ? selected.node : undefined
        const value = ValueListNode.is(row) ? row.values[index] : constant
        return value && ValueNode.is(value) ? value.value : undefined
      }
      if (!rows.length || rows.some((row) => !limit.values.includes(String(getValue(row)))))
        throw new OutsideScope(`A row for ${node.into?.table.identifier.name} lies outside of the Scope`)
    }
    const limitedNode = super.transformInsertQuery(node, queryId)
    if (!limit || !node.into || !node.onConflict?.updates) return limitedNode
    // The existing row may belong to another organization, so the update is limited too.
    this.#checkMoves(node.into, node.onConflict.updates)
    const limits = this.#limitTo([getSource(node.into)])
    return limits && limitedNode.onConflict
      ? {
          ...limitedNode,
          onConflict: {
            ...limitedNode.onConflict,
            updateWhere: WhereNode.create(addWhere(limitedNode.onConflict.updateWhere?.where, limits)),
          },
        }
      : limitedNode
  }
}

/** Limits every query of a Kysely instance to the Scope. @throws OutsideScope for inserts outside of it. */
export function createScopePlugin(scope: Scope): KyselyPlugin {
  const transformer = new ScopeTransformer(scope)
  return {
    transformQuery: ({ node, queryId }): RootOperationNode => {
      if (scope.organizationId !== null && !scopedNodeKinds.includes(node.kind))
        throw new OutsideScope(`A ${node.kind} is the system's own`)
      return transformer.transformNode(node, queryId)
    },
    transformResult: ({ result }) => Promise.resolve(result),
  }
}
