/** Runs SQL with values. */
type Execute = (text: string, values?: unknown[]) => Promise<{ rows: unknown[] }>

/** Rows of one table about a person or an operator. */
export interface RowsAbout {
  table: string
  /** All of them; `rows` has at most the limit. */
  total: number
  rows: Record<string, unknown>[]
}

/** Columns with a person: an id or an e-mail address, whichever the table has. */
const personColumn = /^(user_?id|admin_id)$|(^|_)by(_email)?$|^(user|admin)_email$/i
/** Columns by which somebody could act in the name of the person, or of others. */
const secretColumn = /token|secret|password|sealed|backup|hash|salt|onboarding|hint/i
/** Types of short values: of what somebody only changed, no documents and geometries are shown. */
const shortTypes = ['text', 'uuid', 'boolean', 'integer', 'bigint', 'date', 'timestamp with time zone']

interface Column {
  table: string
  name: string
  type: string
}

/** The tables of the state store with their columns, as they are. */
async function readTables(execute: Execute): Promise<Map<string, Column[]>> {
  const { rows } = await execute(
    `select c.table_name as "table", c.column_name as name, c.data_type as type
     from information_schema.columns c join pg_tables t on t.schemaname = c.table_schema and t.tablename = c.table_name
     where c.table_schema = 'public' order by c.table_name, c.ordinal_position`,
  )
  const tables = new Map<string, Column[]>()
  for (const column of rows as Column[])
    tables.set(column.table, [...(tables.get(column.table) ?? []), column])
  return tables
}

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`

async function select(
  execute: Execute,
  table: string,
  shown: readonly Column[],
  where: string,
  values: unknown[],
  limit: number,
): Promise<RowsAbout[]> {
  const columns = shown.map(({ name }) => quoted(name)).join(', ')
  const { rows } = await execute(
    `select ${columns}, count(*) over () as "all rows" from ${quoted(table)} where ${where} limit ${limit}`,
    values,
  )
  const found = rows as Record<string, unknown>[]
  if (!found.length) return []
  const withoutCount = found.map((row) =>
    Object.fromEntries(Object.entries(row).filter(([name]) => name !== 'all rows')),
  )
  return [{ table, total: Number(found[0]?.['all rows']), rows: withoutCount }]
}

/**
 * Everything in the state store that names a person, table by table. Which columns do is read from the store, so that no new table is
 * left out. Of rows that belong to the person every column is there, of rows that the person changed only short ones; secrets never.
 */
export async function findRowsOfPerson(
  execute: Execute,
  { id, email }: { id: string; email: string },
  limit: number,
): Promise<RowsAbout[]> {
  const found: RowsAbout[] = []
  for (const [table, all] of await readTables(execute)) {
    const naming = all.filter(
      ({ name, type }) => type === 'text' && (personColumn.test(name) || (table === 'user' && name === 'id')),
    )
    if (!naming.length) continue
    const isOwn = naming.some(({ name }) => /^(user_?id|id)$/i.test(name))
    const shown = all.filter(
      ({ name, type }) => !secretColumn.test(name) && (isOwn ? type !== 'bytea' : shortTypes.includes(type)),
    )
    const where = naming.map(({ name }) => `${quoted(name)} in ($1, $2)`).join(' or ')
    found.push(...(await select(execute, table, shown, where, [id, email], limit)))
  }
  return found
}

/** An operator in a region. */
export interface OperatorRegion {
  operator: string
  regionId: string
  organizationId: string
}

/** Everything in the state store about an operator in a region: rows with its slug in a column `operator`, and the operator itself. */
export async function findRowsOfOperator(
  execute: Execute,
  { operator, regionId, organizationId }: OperatorRegion,
  limit: number,
): Promise<RowsAbout[]> {
  const found: RowsAbout[] = []
  for (const [table, all] of await readTables(execute)) {
    const has = (name: string): boolean => all.some((column) => column.name === name)
    const shown = all.filter(({ name, type }) => !secretColumn.test(name) && type !== 'bytea')
    if (table === 'operator')
      found.push(
        ...(await select(
          execute,
          table,
          shown,
          'slug = $1 and organization_id = $2',
          [operator, organizationId],
          limit,
        )),
      )
    else if (has('operator') && has('region_id'))
      found.push(
        ...(await select(
          execute,
          table,
          shown,
          'operator = $1 and region_id = $2',
          [operator, regionId],
          limit,
        )),
      )
  }
  return found
}
