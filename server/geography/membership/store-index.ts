import { systemScope } from '#server/identity/scope.ts'
import type { Facts } from '#server/stores/facts.ts'
import { BinaryRows } from '#server/stores/row-binary.ts'
import type { Scope } from '#server/stores/scope.ts'
import { bind, facts as factTable, identifier, type OpenTable, sql } from '#server/stores/sql.ts'
import type { StoredIndex } from './face-sql.ts'
import type { Grid } from './grid.ts'
import { encodeIndex, indexForm, type IndexLines } from './index-lines.ts'
import type { LayerIndex } from './layer-index.ts'

const tables: readonly OpenTable[] = ['layer_indexes', 'layer_codes', 'layer_edges', 'layer_faces']
const parts = ['codes', 'edges', 'faces']
const edgeColumns =
  'rx Float64, ry Float64, faces Array(UInt32), ref UInt32, x0 Array(Float64), x1 Array(Float64), y0 Array(Float64), slope Array(Float64), hx Array(Float64), bit Array(UInt32)'

/**
 * Finds the stored indexes of a content; null unless all of their dictionaries exist. Distinct, because
 * concurrent builds store rows twice.
 */
export async function findStoredIndexes(
  facts: Facts,
  scope: Scope,
  content: string,
): Promise<StoredIndex[] | null> {
  const rows = await facts.rows<{ index_id: string; grid: string }>(
    scope,
    sql`select distinct part, index_id, grid from ${factTable('layer_indexes')} where content = ${bind('String', `${indexForm} ${content}`)} order by part`,
  )
  if (!rows.length) return null
  const names = rows.map(({ index_id }) => index_id)
  // The first 27 characters of a dictionary's name are that of its index.
  const [dictionaries] = await facts.rows<{ n: string }>(
    scope,
    sql`select count() as n from system.dictionaries where database = currentDatabase() and substring(name, 1, 27) in ${bind('Array(String)', names)}`,
  )
  return Number(dictionaries?.n) === names.length * parts.length
    ? rows.map(({ index_id: name, grid }) => ({ name, grid: JSON.parse(grid) as Grid }))
    : null
}

async function writeRows(facts: Facts, { codes, edges, faces }: IndexLines): Promise<void> {
  const edgeFields = ['rx', 'ry', 'faces', 'ref', 'x0', 'x1', 'y0', 'slope', 'hx', 'bit']
  await Promise.all([
    facts.insertOpen('layer_codes', ['index_id', 'first', 'codes'], codes.rows),
    facts.insertOpen('layer_edges', ['index_id', 'edge_cell', ...edgeFields], edges.rows),
    facts.insertOpen('layer_faces', ['index_id', 'face', 'shapes'], faces.rows),
  ])
}

/**
 * Finds the current database, quoted. Dictionaries read as a user with the database `default`, so their
 * queries need qualified names.
 */
async function findDatabase(facts: Facts): Promise<string> {
  const [row] = await facts.rows<{ name: string }>(systemScope, sql`select currentDatabase() as name`)
  return `\`${(row?.name ?? 'default').replace(/[^\w-]/g, '')}\``
}

/** A dictionary of an index, which reads its rows with a query. */
interface DictionaryDefinition {
  /** End of its name. */
  suffix: string
  key: string
  /** Its other columns. */
  columns: string
  query: string
  /** Number of rows. */
  size: number
}

/** Creates the dictionaries through which queries read an index. */
async function createDictionaries(
  facts: Facts,
  database: string,
  { name, codes, edges, faces }: IndexLines,
): Promise<void> {
  const create = ({ suffix, key, columns, query, size }: DictionaryDefinition): Promise<void> =>
    facts.define(
      `create or replace dictionary ${name}_${suffix} (${key} UInt64, ${columns}) primary key ${key} source(clickhouse(${facts.dictionaryLogin ?? ''}query '${query.replaceAll("'", "\\'")}')) layout(flat(initial_array_size ${size + 1} max_array_size ${size + 1})) lifetime(0)`,
    )
  await Promise.all([
    create({
      suffix: 'codes',
      key: 'cell',
      columns: 'code UInt32',
      query: `select first + n - 1 as cell, code from ${database}.layer_codes array join codes as code, arrayEnumerate(codes) as n where index_id = '${name}'`,
      size: codes.size,
    }),
    create({
      suffix: 'edges',
      key: 'edge_cell',
      columns: edgeColumns,
      query: `select edge_cell, rx, ry, faces, ref, x0, x1, y0, slope, hx, bit from ${database}.layer_edges where index_id = '${name}'`,
      size: edges.size,
    }),
    create({
      suffix: 'faces',
      key: 'face',
      columns: 'shapes Array(UInt32)',
      query: `select face, shapes from ${database}.layer_faces where index_id = '${name}'`,
      size: faces.size,
    }),
  ])
}

/**
 * Writes the indexes of a content and creates their dictionaries. Can be repeated after an interruption: the
 * indexes are listed as stored last, and the same content writes the same rows, of which a dictionary reads
 * each key once.
 */
export async function storeIndexLines(
  facts: Facts,
  content: string,
  indexes: readonly IndexLines[],
): Promise<StoredIndex[]> {
  const database = await findDatabase(facts)
  for (const index of indexes) {
    await writeRows(facts, index)
    await createDictionaries(facts, database, index)
  }
  const rows = new BinaryRows()
  for (const [part, { name, grid }] of indexes.entries())
    rows.string(name).string(`${indexForm} ${content}`).uint8(part).string(JSON.stringify(grid))
  if (indexes.length)
    await facts.insertOpen('layer_indexes', ['index_id', 'content', 'part', 'grid'], rows.bytes())
  return indexes.map(({ name, grid }) => ({ name, grid }))
}

/** Encodes and stores the indexes of a content. */
export const storeIndexes = (
  facts: Facts,
  content: string,
  indexes: readonly LayerIndex[],
): Promise<StoredIndex[]> =>
  storeIndexLines(
    facts,
    content,
    indexes.map((index, part) => encodeIndex(content, part, index)),
  )

/** Drops the stored indexes of a content and their dictionaries. */
export async function dropIndexes(facts: Facts, content: string): Promise<void> {
  const rows = await facts.rows<{ index_id: string }>(
    systemScope,
    sql`select distinct index_id from ${factTable('layer_indexes')} where content = ${bind('String', `${indexForm} ${content}`)}`,
  )
  for (const { index_id: name } of rows) {
    // Throws if the name is not safe in the statements below.
    identifier(name)
    for (const table of tables)
      await facts.remove(systemScope, table, sql`index_id = ${bind('String', name)}`)
    for (const part of parts) await facts.define(`drop dictionary if exists ${name}_${part}`)
  }
}
