/** A column as its table was declared. */
export interface SqliteColumn {
  name: string
  /** In capitals; '' where none was given. */
  type: string
  /** The row's own number, which the record does not hold. */
  isRowId: boolean
}

const signs = /"(?:[^"]|"")*"|'(?:[^']|'')*'|`[^`]*`|\[[^\]]*\]|--[^\n]*|\/\*[\s\S]*?\*\/|[(),]/g

/** The parts of a declaration between its outermost brackets and commas; those within quotes and comments do not count. */
function partsOf(sql: string): string[] {
  const parts: string[] = []
  let depth = 0
  let from = 0
  for (const { 0: sign, index } of sql.matchAll(signs)) {
    if (sign === '(' && ++depth === 1) from = index + 1
    const ends = (sign === ',' && depth === 1) || (sign === ')' && --depth === 0)
    if (!ends) continue
    parts.push(sql.slice(from, index))
    from = index + 1
    if (depth === 0) break
  }
  return parts
}

/** The columns that a CREATE TABLE declares, in the order of its records. */
export function readColumns(sql: string): SqliteColumn[] {
  return partsOf(sql).flatMap((part): SqliteColumn[] => {
    const text = part.replace(/--[^\n]*|\/\*[\s\S]*?\*\//g, ' ').trim()
    const [whole = '', quoted, ticked, bracketed, bare] =
      /^(?:"((?:[^"]|"")*)"|`([^`]*)`|\[([^\]]*)\]|([^\s("]+))/.exec(text) ?? []
    if (!whole || (bare !== undefined && /^(constraint|primary|unique|check|foreign)$/i.test(bare))) return []
    const rest = text.slice(whole.length).trim()
    const type = (
      /^(?!(?:not|null|primary|default|unique|check|references|collate|generated|constraint)\b)[a-z0-9_]+/i.exec(
        rest,
      )?.[0] ?? ''
    ).toUpperCase()
    return [
      {
        name: quoted?.replaceAll('""', '"') ?? ticked ?? bracketed ?? bare ?? '',
        type,
        isRowId: type === 'INTEGER' && /\bprimary\s+key\b/i.test(rest),
      },
    ]
  })
}
