import { Problem } from '#server/http/problem.ts'

type Row = Record<string, unknown>
type Kind = 'policies' | 'geographies'

const isRow = (value: unknown): value is Row =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
/** So many of either are read. */
const most = 5000

/** The list of an MDS answer, of 2.0 or wrapped as 1.2 has it, with its version. Throws a Problem that says what is no such answer. */
export function readBody(kind: Kind, body: unknown): { version: string; items: unknown[] } {
  const refused = (message: string): Problem =>
    new Problem('validation_error', message, [{ path: `body.source.${kind}`, message }])
  const inner = isRow(body) && isRow(body['data']) ? body['data'] : body
  const found = isRow(inner) ? inner[kind] : undefined
  if (!isRow(body) || !Array.isArray(found)) throw refused(`This is no list of MDS ${kind}.`)
  const version = typeof body['version'] === 'string' ? body['version'] : ''
  if (!/^(1\.[0-2]|2\.\d+)(\.|$)/.test(version))
    throw refused(
      `The ${kind} are of MDS ${version.slice(0, 20) || 'without a version'}. Versions 1.0 to 1.2 and 2 are read.`,
    )
  if (found.length > most) throw refused(`There are ${found.length} ${kind}; up to ${most} are read.`)
  // The official list of 1.2 has each geography in a wrapper.
  return {
    version,
    items: found.map((item: unknown) =>
      kind === 'geographies' && isRow(item) && isRow(item['geography']) ? item['geography'] : item,
    ),
  }
}
