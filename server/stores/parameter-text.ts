const escapes: Record<string, string> = {
  '\\': '\\\\',
  '\0': '\\0',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
}
const escaped = (text: string): string => text.replace(/[\\\0\b\f\n\r\t]/g, (sign) => escapes[sign] ?? sign)
const quoted = (text: string): string => `'${escaped(text).replaceAll("'", "\\'")}'`

/** A value as ClickHouse reads the text of a parameter: a field of tab-separated text, lists in brackets with quoted texts. */
function fieldOf(value: unknown): string {
  if (Array.isArray(value))
    return `[${value.map((each: unknown) => (typeof each === 'string' ? quoted(each) : fieldOf(each))).join(',')}]`
  if (value === null || value === undefined) return '\\N'
  return escaped(String(value))
}

/** The statement that sets parameters for the next query of a session. */
export const setParameters = (parameters: Record<string, unknown>): string =>
  `set ${Object.entries(parameters)
    .map(([name, value]) => `param_${name} = ${quoted(fieldOf(value))}`)
    .join(', ')}`
