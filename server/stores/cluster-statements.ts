import type { Engine } from './engine.ts'

/** A cluster of ClickHouse servers, as `remote_servers` of their configuration names it. */
export interface ClickHouseCluster {
  name: string
  /**
   * Regions are spread over the shards: each table of facts is a Distributed table over local ones. Otherwise all servers are
   * replicas of one shard.
   */
  isSharded: boolean
}

/** Suffix of the tables that hold the rows of one shard. */
const localSuffix = '_local'

const createTable = /^\s*create table if not exists (\w+) (\([\s\S]*)$/i
const createView = /^\s*create materialized view if not exists (\w+) to (\w+) as\b([\s\S]*)$/i
const alterTable = /^\s*alter table (\w+) ([\s\S]*)$/i
const deleteFrom = /^\s*delete from (\w+) where ([\s\S]*)$/i
const dropTable = /^\s*drop table if exists (\w+)\s*$/i
const dictionary = /^\s*(create or replace dictionary|drop dictionary if exists) (\w+)([\s\S]*)$/i

/** The end of the parenthesis at the begin of a text, exclusive. */
function endOfParenthesis(text: string): number {
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '(') depth++
    else if (text[at] === ')' && --depth === 0) return at + 1
  }
  throw new Error('A statement has an open parenthesis')
}

/** Columns, engine, its arguments, and what follows, of the part of a statement after the table's name. */
function readDefinition(text: string): { columns: string; engine: string; args: string; rest: string } {
  const end = endOfParenthesis(text)
  const [, engine = '', after = ''] = /^\s*engine\s*=\s*(\w*MergeTree)([\s\S]*)$/i.exec(text.slice(end)) ?? []
  if (!engine) throw new Error(`A cluster has no table with ${text.slice(end, end + 40)}`)
  const argsEnd = after.startsWith('(') ? endOfParenthesis(after) : 0
  return {
    columns: text.slice(0, end),
    engine,
    args: after.slice(1, Math.max(1, argsEnd - 1)),
    rest: after.slice(argsEnd),
  }
}

/** Facts of a region are on one shard; what belongs to no region, such as layer indexes, is on all. */
const hasRegion = (columns: string): boolean => /^\(\s*(?:[\s\S]*,\s*)?region_id\s/.test(columns)

/**
 * The statements of a cluster in place of one of the schema. Tables of facts that are sharded have their rows in `NAME_local`; the
 * table of the name is Distributed by region.
 */
export class ClusterStatements {
  readonly #cluster: ClickHouseCluster
  readonly #sharded: (table: string) => boolean
  readonly #on: string

  /** `isRegional`: whether a table of the schema has the column region_id. */
  constructor(cluster: ClickHouseCluster, isRegional: (table: string) => boolean) {
    if (!/^\w+$/.test(cluster.name)) throw new Error(`Not a name of a cluster: ${cluster.name}`)
    this.#cluster = cluster
    this.#sharded = (table) => cluster.isSharded && isRegional(table)
    this.#on = `on cluster ${cluster.name}`
  }

  rewrite(statement: string): string[] {
    const table = createTable.exec(statement)
    if (table) return this.#createTable(table[1] ?? '', table[2] ?? '')
    const view = createView.exec(statement)
    if (view) {
      const [, name, target = '', query = ''] = view
      const local = query.replaceAll(
        /\b(from|join)\s+(\w+)/gi,
        (_, word: string, of: string) => `${word} ${this.#local(of)}`,
      )
      return [
        `create materialized view if not exists ${name} ${this.#on} to ${this.#local(target)} as${local}`,
      ]
    }
    const alter = alterTable.exec(statement)
    // Replicas synchronize by themselves; other shards must be updated explicitly.
    if (alter && this.#sharded(alter[1] ?? '')) {
      const local = `alter table ${this.#local(alter[1] ?? '')} ${this.#on} ${alter[2]}`
      // The table of the name has the same columns, and no partitions.
      return /\bcolumn\b/i.test(alter[2] ?? '')
        ? [local, `alter table ${alter[1]} ${this.#on} ${alter[2]}`]
        : [local]
    }
    const removal = deleteFrom.exec(statement)
    if (removal && this.#sharded(removal[1] ?? ''))
      return [`delete from ${this.#local(removal[1] ?? '')} ${this.#on} where ${removal[2]}`]
    const [, dropped] = dropTable.exec(statement) ?? []
    if (dropped)
      return [...new Set([dropped, this.#local(dropped)])].map(
        (name) => `drop table if exists ${name} ${this.#on}`,
      )
    const found = dictionary.exec(statement)
    if (found) return [`${found[1]} ${found[2]} ${this.#on}${found[3]}`]
    return [statement]
  }

  #local(table: string): string {
    return this.#sharded(table) ? table + localSuffix : table
  }

  #createTable(name: string, text: string): string[] {
    const { columns, engine, args, rest } = readDefinition(text)
    const isSharded = this.#cluster.isSharded && hasRegion(columns)
    const isEverywhere = this.#cluster.isSharded && !isSharded
    const path = `/clickhouse/tables/${isEverywhere ? 'all' : '{shard}'}/{database}/${name}`
    const replica = isEverywhere ? '{shard}-{replica}' : '{replica}'
    const engineText = `Replicated${engine}('${path}', '${replica}'${args ? `, ${args}` : ''})${rest}`
    const own = isSharded ? name + localSuffix : name
    const created = `create table if not exists ${own} ${this.#on} ${columns} engine = ${engineText}`
    if (!isSharded) return [created]
    return [
      created,
      `create table if not exists ${name} ${this.#on} as ${own} engine = Distributed(${this.#cluster.name}, currentDatabase(), ${own}, cityHash64(region_id))`,
    ]
  }
}

/** Tables of the schema that have the column region_id. */
export const regionalTables = (statements: readonly string[]): ReadonlySet<string> =>
  new Set(
    statements.flatMap((statement) => {
      const [, name = '', text = ''] = createTable.exec(statement) ?? []
      return name && hasRegion(readDefinition(text).columns) ? [name] : []
    }),
  )

/** An engine on a cluster: statements that change the schema or remove rows are made for all of its servers. */
export function onCluster(engine: Engine, cluster: ClickHouseCluster, schema: readonly string[]): Engine {
  const regional = regionalTables(schema)
  const statements = new ClusterStatements(cluster, (table) => regional.has(table))
  return {
    ...engine,
    async command(text, parameters, limits) {
      for (const statement of statements.rewrite(text)) await engine.command(statement, parameters, limits)
    },
  }
}
