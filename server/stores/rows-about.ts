import { groupBy } from '#contract/group-by.ts'

/** Runs SQL with values. */
type Execute = (text: string, values?: unknown[]) => Promise<{ rows: unknown[] }>

/** Rows of one table about a person or an operator. */
export interface RowsAbout {
  table: string
  /** Number of all rows; `rows` is limited. */
  total: number
  rows: Record<string, unknown>[]
}

/** Columns that contain the id or e-mail address of a person. */
const personColumnPattern = /^(user_?id|admin_id)$|(^|_)by(_email)?$|^(user|admin)_email$/i
/** Columns with secrets, which are never disclosed: with them, one could act for the person or for others. */
const secretColumnPattern = /token|secret|password|sealed|backup|hash|salt|onboarding|hint/i
/** Types included from rows that the person only changed, without documents and geometries (jsonb, bytea). */
const shortTypes = ['text', 'uuid', 'boolean', 'integer', 'bigint', 'date', 'timestamp with time zone']

interface Column {
  table: string
  name: string
  type: string
}

/** Reads the tables of the state store with their columns from its catalog. */
async function readTables(execute: Execute): Promise<Map<string, Column[]>> {
  const { rows } = await execute(
    `select c.table_name as "table", c.column_name as name, c.data_type as type
     from information_schema.columns c join pg_tables t on t.schemaname = c.table_schema and t.tablename = c.table_name
     where c.table_schema = 'public' order by c.table_name, c.ordinal_position`,
  )
  return groupBy(rows as Column[], ({ table }) => table)
}

const quote = (name: string): string => `"${name.replaceAll('"', '""')}"`

interface Selection {
  table: string
  columns: readonly Column[]
  where: string
  values: unknown[]
  limit: number
}

/** Selects rows of a table, with their total number; an empty list if there are none. */
async function selectRowsAbout(
  execute: Execute,
  { table, columns, where, values, limit }: Selection,
): Promise<RowsAbout[]> {
  const columnList = columns.map(({ name }) => quote(name)).join(', ')
  const result = await execute(
    `select ${columnList}, count(*) over () as "all rows" from ${quote(table)} where ${where} limit ${limit}`,
    values,
  )
  const rowsWithTotal = result.rows as Record<string, unknown>[]
  const [firstRow] = rowsWithTotal
  if (!firstRow) return []
  const rows = rowsWithTotal.map((row) =>
    Object.fromEntries(Object.entries(row).filter(([name]) => name !== 'all rows')),
  )
  return [{ table, total: Number(firstRow['all rows']), rows }]
}

/**
 * Finds all rows of the state store that name a person, by table. Columns are found in the catalog, so that
 * no new table is forgotten. Rows that belong to the person have all columns but secrets; rows that the
 * person only changed have those with short values.
 */
export async function findRowsOfPerson(
  execute: Execute,
  { id, email }: { id: string; email: string },
  limit: number,
): Promise<RowsAbout[]> {
  const results: RowsAbout[] = []
  for (const [table, columns] of await readTables(execute)) {
    const personColumns = columns.filter(
      ({ name, type }) =>
        type === 'text' && (personColumnPattern.test(name) || (table === 'user' && name === 'id')),
    )
    if (!personColumns.length) continue
    const isOwn = personColumns.some(({ name }) => /^(user_?id|id)$/i.test(name))
    const shownColumns = columns.filter(
      ({ name, type }) =>
        !secretColumnPattern.test(name) && (isOwn ? type !== 'bytea' : shortTypes.includes(type)),
    )
    const where = personColumns.map(({ name }) => `${quote(name)} in ($1, $2)`).join(' or ')
    results.push(
      ...(await selectRowsAbout(execute, {
        table,
        columns: shownColumns,
        where,
        values: [id, email],
        limit,
      })),
    )
  }
  return results
}

/** An operator in a region. */
export interface OperatorRegion {
  operator: string
  regionId: string
  organizationId: string
}

/** Finds rows of the state store about an operator in a region: `operator` itself, and rows that name it. */
export async function findRowsOfOperator(
  execute: Execute,
  { operator, regionId, organizationId }: OperatorRegion,
  limit: number,
): Promise<RowsAbout[]> {
  const results: RowsAbout[] = []
  for (const [table, columns] of await readTables(execute)) {
    const hasColumn = (name: string): boolean => columns.some((column) => column.name === name)
    const shownColumns = columns.filter(
      ({ name, type }) => !secretColumnPattern.test(name) && type !== 'bytea',
    )
    if (table === 'operator') {
      const where = 'slug = $1 and organization_id = $2'
      const values = [operator, organizationId]
      results.push(
        ...(await selectRowsAbout(execute, { table, columns: shownColumns, where, values, limit })),
      )
    } else if (hasColumn('operator') && hasColumn('region_id')) {
      const where = 'operator = $1 and region_id = $2'
      const values = [operator, regionId]
      results.push(
        ...(await selectRowsAbout(execute, { table, columns: shownColumns, where, values, limit })),
      )
    }
  }
  return results
}
