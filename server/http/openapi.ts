import { z } from 'zod'
import { type Endpoint, isMedia } from '#contract/endpoint.ts'
import { roomOfEndpoint } from '#contract/endpoints.ts'
import { ProblemBody } from '#contract/problem.ts'
import { problems } from '#contract/problem-text.ts'
import { apiVersion } from './serve.ts'

type Json = Record<string, unknown>

/** A shape as JSON Schema; shapes with an id become components. */
function schemaOf(shape: z.ZodType, io: 'input' | 'output', components: Json): Json {
  const { $defs, $schema: _, ...rest } = z.toJSONSchema(shape, { io, unrepresentable: 'any', target: 'draft-2020-12', reused: 'inline' }) as Json & { $defs?: Json }
  const text = JSON.stringify(rest).replaceAll('#/$defs/', '#/components/schemas/')
  for (const [name, definition] of Object.entries($defs ?? {})) components[name] ??= JSON.parse(JSON.stringify(definition).replaceAll('#/$defs/', '#/components/schemas/'))
  return JSON.parse(text) as Json
}

const parametersOf = (shape: z.ZodObject | undefined, where: 'path' | 'query', components: Json): Json[] =>
  Object.entries(shape?.shape ?? {}).map(([name, field]) => ({
    name,
    in: where,
    required: where === 'path' || !(field as z.ZodType).safeParse(undefined).success,
    schema: schemaOf(field as z.ZodType, 'input', components),
  }))

const contentOf = (shape: Endpoint['answer'], io: 'input' | 'output', components: Json): Json =>
  isMedia(shape) ? { [shape.media]: { schema: { type: 'string', format: 'binary' } } } : { 'application/json': { schema: schemaOf(shape, io, components) } }

function operation(name: string, id: string, endpoint: Endpoint, components: Json): Json {
  const codes = Object.entries(problems).filter(([code]) => ['bad_request', 'unauthorized', 'forbidden', 'not_found', 'validation_error', 'internal_server_error'].includes(code))
  const { body } = endpoint.ask
  return {
    operationId: id,
    summary: endpoint.summary,
    tags: [roomOfEndpoint.get(name) ?? 'other'],
    'x-permission': endpoint.permission,
    ...(endpoint.permission === 'public' ? { security: [] } : {}),
    parameters: [...parametersOf(endpoint.ask.params, 'path', components), ...parametersOf(endpoint.ask.query, 'query', components)],
    ...(body ? { requestBody: { required: true, content: contentOf(body, 'input', components) } } : {}),
    responses: {
      200: { description: 'Done', content: contentOf(endpoint.answer, 'output', components) },
      ...Object.fromEntries(codes.map(([, { status, text }]) => [status, { description: text, content: { 'application/json': { schema: { $ref: '#/components/schemas/Problem' } } } }])),
    },
  }
}

/** OpenAPI 3.1 of the list of endpoints. */
export function openApi(endpoints: ReadonlyMap<string, Endpoint>): Json {
  const components: Json = { Problem: schemaOf(ProblemBody, 'output', {}) }
  const paths: Record<string, Json> = {}
  for (const [name, endpoint] of endpoints)
    for (const prefix of endpoint.prefixes) {
      const tail = endpoint.prefixes[0] === prefix ? '' : `_${prefix.slice(1) || 'root'}`
      ;(paths[prefix + endpoint.path] ??= {})[endpoint.method.toLowerCase()] = operation(name, name + tail, endpoint, components)
    }
  return {
    openapi: '3.1.0',
    info: { title: 'Publicway', version: apiVersion, description: 'How a city manages its streets: regions, geographies, trips in, evaluation maps.' },
    servers: [{ url: '/' }],
    security: [{ session: [] }, { bearer: [] }],
    paths,
    components: { schemas: components, securitySchemes: { session: { type: 'apiKey', in: 'cookie', name: 'publicway.session_token' }, bearer: { type: 'http', scheme: 'bearer' } } },
  }
}
