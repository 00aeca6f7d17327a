interface Parameter {
  name: string
  in: string
  required?: boolean
}
interface Operation {
  operationId: string
  summary?: string
  'x-scope'?: string
  parameters?: readonly Parameter[]
  requestBody?: { content?: Record<string, { example?: unknown }> }
}
/** The part of an OpenAPI document that is read. */
export interface ApiDescription {
  paths: Record<string, Record<string, Operation>>
}

/** A call of the external API. */
export interface ExternalOperation {
  id: string
  method: string
  path: string
  summary: string
  scope: string
  parameters: readonly { name: string; where: string; isRequired: boolean }[]
  /** An example of its body, as text; '' for a call without one. */
  example: string
}

const bodyOf = ({ requestBody }: Operation): string => {
  const json = requestBody?.content?.['application/json']
  return json ? JSON.stringify(json.example ?? {}, null, 2) : ''
}

/** Calls that take API keys, by path. */
export const externalOperations = ({ paths }: ApiDescription): ExternalOperation[] =>
  Object.entries(paths)
    .filter(([path]) => path.startsWith('/external/'))
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({
        id: operation.operationId,
        method: method.toUpperCase(),
        path,
        summary: operation.summary ?? '',
        scope: operation['x-scope'] ?? '',
        parameters: (operation.parameters ?? []).map(({ name, in: where, required = false }) => ({
          name,
          where,
          isRequired: required,
        })),
        example: bodyOf(operation),
      })),
    )
    .toSorted((a, b) => a.path.localeCompare(b.path) || a.method.localeCompare(b.method))

/** Path and query of a call with what was entered. */
export function urlOfCall(
  { path, parameters }: ExternalOperation,
  values: Readonly<Record<string, string>>,
): string {
  const filled = path.replace(/\{(\w+)\}/g, (whole, name: string) =>
    values[name] ? encodeURIComponent(values[name]) : whole,
  )
  const query = parameters.flatMap(({ name, where }) =>
    where === 'query' && values[name]
      ? [`${encodeURIComponent(name)}=${encodeURIComponent(values[name])}`]
      : [],
  )
  return query.length ? `${filled}?${query.join('&')}` : filled
}

const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`

/** The call as a command of a shell; the key comes from its environment. */
export const curlOf = ({ method }: ExternalOperation, url: string, body: string | null): string =>
  [
    'curl',
    ...(method === 'GET' ? [] : ['-X', method]),
    '-H "x-api-key: $PUBLICWAY_KEY"',
    ...(body === null ? [] : [`-H 'content-type: application/json' -d ${quoted(body)}`]),
    quoted(url),
  ].join(' ')
