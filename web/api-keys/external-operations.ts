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
/** The part of an OpenAPI document that is used here. */
export interface ApiDescription {
  paths: Record<string, Record<string, Operation>>
}

/** An operation of the external API. */
export interface ExternalOperation {
  id: string
  method: string
  path: string
  summary: string
  scope: string
  parameters: readonly { name: string; location: string; isRequired: boolean }[]
  /** An example of the request body as JSON text; empty if there is none. */
  example: string
}

const getExample = ({ requestBody }: Operation): string => {
  const json = requestBody?.content?.['application/json']
  return json ? JSON.stringify(json.example ?? {}, null, 2) : ''
}

/** Returns the operations that accept API keys, sorted by path. */
export const listExternalOperations = ({ paths }: ApiDescription): ExternalOperation[] =>
  Object.entries(paths)
    .filter(([path]) => path.startsWith('/external/'))
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({
        id: operation.operationId,
        method: method.toUpperCase(),
        path,
        summary: operation.summary ?? '',
        scope: operation['x-scope'] ?? '',
        parameters: (operation.parameters ?? []).map(({ name, in: location, required = false }) => ({
          name,
          location,
          isRequired: required,
        })),
        example: getExample(operation),
      })),
    )
    .toSorted((a, b) => a.path.localeCompare(b.path) || a.method.localeCompare(b.method))

/** Returns the path and query of a call with the entered values; placeholders without a value remain. */
export function buildUrl(
  { path, parameters }: ExternalOperation,
  values: Readonly<Record<string, string>>,
): string {
  const filledPath = path.replace(/\{(\w+)\}/g, (placeholder, name: string) =>
    values[name] ? encodeURIComponent(values[name]) : placeholder,
  )
  const query = parameters.flatMap(({ name, location }) =>
    location === 'query' && values[name]
      ? [`${encodeURIComponent(name)}=${encodeURIComponent(values[name])}`]
      : [],
  )
  return query.length ? `${filledPath}?${query.join('&')}` : filledPath
}

/** Puts text in single quotes; a quote within it ends them, is escaped, and begins them again. */
const quoteForShell = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`

/** Returns the call as a shell command that reads the key from the environment. */
export const buildCurl = ({ method }: ExternalOperation, url: string, body: string | null): string =>
  [
    'curl',
    ...(method === 'GET' ? [] : ['-X', method]),
    '-H "x-api-key: $PUBLICWAY_KEY"',
    ...(body === null ? [] : [`-H 'content-type: application/json' -d ${quoteForShell(body)}`]),
    quoteForShell(url),
  ].join(' ')
