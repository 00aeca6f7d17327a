import type { Engine } from './engine.ts'

/** A cluster of ClickHouse servers, by its name in `remote_servers` of their configuration. */
export interface ClickHouseCluster {
  name: string
  /**
   * Whether regions are spread over several shards, so that each table of facts is a Distributed table over
   * local ones. Otherwise all servers are replicas of one shard.
   */
  isSharded: boolean
}

/** Suffix of the tables with the rows of one shard. */
const localSuffix = '_local'
const createTablePattern = /^\s*create table if not exists (\w+) (\([\s\S]*)$/i
const createViewPattern = /^\s*create materialized view if not exists (\w+) to (\w+) as\b([\s\S]*)$/i
const alterTablePattern = /^\s*alter table (\w+) ([\s\S]*)$/i
const deleteFromPattern = /^\s*delete from (\w+) where ([\s\S]*)$/i
const dropTablePattern = /^\s*drop table if exists (\w+)\s*$/i
const dictionaryPattern = /^\s*(create or replace dictionary|drop dictionary if exists) (\w+)([\s\S]*)$/i

/** Returns the index after the parenthesis that closes the one at the start of a text. */
function findEndOfParenthesis(text: string): number {
  let depth = 0
  for (let index = 0; index < text.length; index++) {
    if (text[index] === '(') depth++
    else if (text[index] === ')' && --depth === 0) return index + 1
  }
  throw new Error('A statement has an open parenthesis')
}

/** Parses what follows the name in `create table`: columns, engine, its arguments and remaining clauses. */
function readDefinition(text: string): { columns: string; engine: string; args: string; rest: string } {
  const end = findEndOfParenthesis(text)
  const [, engine = '', after = ''] = /^\s*engine\s*=\s*(\w*MergeTree)([\s\S]*)$/i.exec(text.slice(end)) ?? []
  if (!engine) throw new Error(`A cluster has no table with ${text.slice(end, end + 40)}`)
  const argsEnd = after.startsWith('(') ? findEndOfParenthesis(after) : 0
  return {
    columns: text.slice(0, end),
    engine,
    args: after.slice(1, Math.max(1, argsEnd - 1)),
    rest: after.slice(argsEnd),
  }
}

/** Facts of a region are on one shard. Tables without regions, such as layer indexes, are on all shards. */
const hasRegion = (columns: string): boolean => /^\(\s*(?:[\s\S]*,\s*)?region_id\s/.test(columns)

/**
 * Rewrites a statement for one server to the statements for a cluster. Rows of sharded tables are in
 * `NAME_local`, and `NAME` is a Distributed table over it, sharded by region.
 */
export class ClusterStatements {
  readonly #cluster: ClickHouseCluster
  readonly #isSharded: (table: string) => boolean
  readonly #onClusterClause: string

  /** `isRegional`: whether a table of the schema has the column region_id. */
  constructor(cluster: ClickHouseCluster, isRegional: (table: string) => boolean) {
    if (!/^\w+$/.test(cluster.name)) throw new Error(`Not a name of a cluster: ${cluster.name}`)
    this.#cluster = cluster
    this.#isSharded = (table) => cluster.isSharded && isRegional(table)
    this.#onClusterClause = `on cluster ${cluster.name}`
  }

  /** Returns the statements for the cluster. */
  rewrite(statement: string): string[] {
    const table = createTablePattern.exec(statement)
    if (table) return this.#createTable(table[1] ?? '', table[2] ?? '')
    const view = createViewPattern.exec(statement)
    if (view) {
      const [, name, target = '', query = ''] = view
      const localQuery = query.replaceAll(
        /\b(from|join)\s+(\w+)/gi,
        (_, keyword: string, source: string) => `${keyword} ${this.#local(source)}`,
      )
      return [
        `create materialized view if not exists ${name} ${this.#onClusterClause} to ${this.#local(target)} as${localQuery}`,
      ]
    }
    const alter = alterTablePattern.exec(statement)
    // Replicas synchronize automatically; other shards must be altered explicitly.
    if (alter && this.#isSharded(alter[1] ?? '')) {
      const localStatement = `alter table ${this.#local(alter[1] ?? '')} ${this.#onClusterClause} ${alter[2]}`
      // The Distributed table has the same columns, but no partitions.
      return /\bcolumn\b/i.test(alter[2] ?? '')
        ? [localStatement, `alter table ${alter[1]} ${this.#onClusterClause} ${alter[2]}`]
        : [localStatement]
    }
    const removal = deleteFromPattern.exec(statement)
    if (removal && this.#isSharded(removal[1] ?? ''))
      return [`delete from ${this.#local(removal[1] ?? '')} ${this.#onClusterClause} where ${removal[2]}`]
    const [, dropped] = dropTablePattern.exec(statement) ?? []
    if (dropped)
      return [...new Set([dropped, this.#local(dropped)])].map(
        (name) => `drop table if exists ${name} ${this.#onClusterClause}`,
      )
    const [, action, name, definition] = dictionaryPattern.exec(statement) ?? []
    if (action) return [`${action} ${name} ${this.#onClusterClause}${definition}`]
    return [statement]
  }

  #local(table: string): string {
    return this.#isSharded(table) ? table + localSuffix : table
  }

  #createTable(name: string, text: string): string[] {
    const { columns, engine, args, rest } = readDefinition(text)
    const isSharded = this.#cluster.isSharded && hasRegion(columns)
    const isEverywhere = this.#cluster.isSharded && !isSharded
    const path = `/clickhouse/tables/${isEverywhere ? 'all' : '{shard}'}/{database}/${name}`
    const replica = isEverywhere ? '{shard}-{replica}' : '{replica}'
    const engineText = `Replicated${engine}('${path}', '${replica}'${args ? `, ${args}` : ''})${rest}`
    const storedTable = isSharded ? name + localSuffix : name
    const created = `create table if not exists ${storedTable} ${this.#onClusterClause} ${columns} engine = ${engineText}`
    if (!isSharded) return [created]
    return [
      created,
      `create table if not exists ${name} ${this.#onClusterClause} as ${storedTable} engine = Distributed(${this.#cluster.name}, currentDatabase(), ${storedTable}, cityHash64(region_id))`,
    ]
  }
}

/** Finds the tables of the schema that have the column region_id. */
export const findRegionalTables = (statements: readonly string[]): ReadonlySet<string> =>
  new Set(
    statements.flatMap((statement) => {
      const [, name = '', text = ''] = createTablePattern.exec(statement) ?? []
      return name && hasRegion(readDefinition(text).columns) ? [name] : []
    }),
  )

/** Wraps an engine so that changes of the schema and deletions run on all servers of the cluster. */
export function onCluster(engine: Engine, cluster: ClickHouseCluster, schema: readonly string[]): Engine {
  const regional = findRegionalTables(schema)
  const statements = new ClusterStatements(cluster, (table) => regional.has(table))
  return {
    ...engine,
    async command(text, parameters, limits) {
      for (const statement of statements.rewrite(text)) await engine.command(statement, parameters, limits)
    },
  }
}
