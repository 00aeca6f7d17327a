import { z } from 'zod'
import { type Endpoint, isMedia, type Prefix } from '#contract/endpoint.ts'
import { roomByEndpoint } from '#contract/endpoints.ts'
import { ProblemBody } from '#contract/problem.ts'
import { problems } from '#contract/problem-text.ts'
import { apiScopes } from '#contract/api-scopes.ts'
import { webhookEvents } from '#contract/webhooks.ts'
import { makeExample } from './openapi-examples.ts'
import { apiVersion, getCallKind } from './serve.ts'

type Json = Record<string, unknown>

/** Converts a Zod schema to JSON Schema; schemas with an id become components. */
function toJsonSchema(schema: z.ZodType, io: 'input' | 'output', components: Json): Json {
  const {
    $defs,
    $schema: _,
    ...jsonSchema
  } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    target: 'draft-2020-12',
    reused: 'inline',
  }) as Json & { $defs?: Json }
  const text = JSON.stringify(jsonSchema).replaceAll('#/$defs/', '#/components/schemas/')
  for (const [name, definition] of Object.entries($defs ?? {}))
    components[name] ??= JSON.parse(
      JSON.stringify(definition).replaceAll('#/$defs/', '#/components/schemas/'),
    )
  return JSON.parse(text) as Json
}

/** Returns the parameters of a path or query. A parameter is required unless its schema accepts no value. */
const describeParameters = (
  schema: z.ZodObject | undefined,
  where: 'path' | 'query',
  components: Json,
): Json[] =>
  Object.entries(schema?.shape ?? {}).map(([name, field]) => {
    const jsonSchema = toJsonSchema(field as z.ZodType, 'input', components)
    const required = where === 'path' || !(field as z.ZodType).safeParse(undefined).success
    const example = required ? makeExample(jsonSchema, name, components) : undefined
    return { name, in: where, required, schema: jsonSchema, ...(example === undefined ? {} : { example }) }
  })

function describeContent(schema: Endpoint['response'], io: 'input' | 'output', components: Json): Json {
  if (isMedia(schema)) return { [schema.media]: { schema: { type: 'string', format: 'binary' } } }
  const jsonSchema = toJsonSchema(schema, io, components)
  return {
    'application/json': {
      schema: jsonSchema,
      ...(io === 'input' ? { example: makeExample(jsonSchema, 'body', components) ?? {} } : {}),
    },
  }
}

const legacyCredentials = {
  type: 'object',
  description: 'Of a legacy call, in the body.',
  properties: {
    token: {
      type: 'string',
      description:
        'As `set-auth-token` of the sign-in. An invalid token causes a 403 `Could not validate credentials`.',
    },
    region_id: { type: 'string' },
    impersonated_user: { type: 'string', description: 'Id of the user whom an administrator acts as.' },
  },
}
const legacyNote =
  'Legacy form: token, region_id and impersonated_user are in the body; the response has `success`, and a list is in `data`.'
const successSchema = { type: 'object', properties: { success: { const: true } }, required: ['success'] }

/** Converts the content of a /v2 request or response to its legacy form, with the fields of `addition`. */
function describeLegacyContent(content: Json, addition: Json): Json {
  const json = (content['application/json'] as { schema: Json } | undefined)?.schema
  if (!json) return content
  const schema =
    json['type'] === 'array'
      ? {
          type: 'object',
          properties: { ...successSchema.properties, data: json },
          required: ['success', 'data'],
        }
      : { allOf: [addition, json] }
  return { 'application/json': { schema } }
}

export const signInPath = '/api/auth/sign-in/email'
/** The sign-in, which the identity library serves and which is not declared as an endpoint. */
const signIn = {
  post: {
    operationId: 'signIn',
    summary: 'Sign in with e-mail and password',
    description:
      'The response sets the session cookie. Programs read the header `set-auth-token` and send its value as `Authorization: Bearer …`, or as `token` in the body of legacy calls under /apipy. With a second factor the response has `twoFactorRedirect: true` and no token; the token is in the response of `/api/auth/two-factor/verify-totp` or `verify-otp`.',
    tags: ['identity'],
    'x-permission': 'public',
    security: [],
    parameters: [],
    requestBody: {
      required: true,
      content: {
        'application/json': {
          schema: {
            type: 'object',
            properties: { email: { type: 'string' }, password: { type: 'string' } },
            required: ['email', 'password'],
          },
        },
      },
    },
    responses: {
      200: {
        description: 'Signed in, or a second factor is required',
        headers: {
          'set-auth-token': {
            description: 'Token of the session, valid for seven days of inactivity',
            schema: { type: 'string' },
          },
        },
        content: { 'application/json': { schema: { type: 'object' } } },
      },
      401: {
        description: 'E-mail or password is wrong',
        content: { 'application/json': { schema: { type: 'object' } } },
      },
      429: {
        description: 'Too many attempts',
        content: { 'application/json': { schema: { type: 'object' } } },
      },
    },
  },
}

/** Returns the security of external calls: an API key in either of two headers. */
const describeKeySecurity = (scope: string | undefined): Json[] => [
  { apiKey: [scope ?? ''] },
  { apiKeyBearer: [scope ?? ''] },
]

const commonCodes = [
  'bad_request',
  'unauthorized',
  'forbidden',
  'not_found',
  'validation_error',
  'internal_server_error',
]

/** An endpoint under one of its prefixes. */
interface ServedEndpoint {
  name: string
  endpoint: Endpoint
  prefix: Prefix
}

function describeOperation(served: ServedEndpoint, components: Json): Json {
  const { name, endpoint, prefix } = served
  const notes = listNotes(served)
  // Adds components in this order: the first definition of a component is used.
  const requestBody = describeRequestBody(served, components)
  const responseContent = describeResponse(served, components)
  return {
    // The names of an endpoint under its other prefixes have a suffix.
    operationId: endpoint.prefixes[0] === prefix ? name : `${name}_${prefix.slice(1) || 'root'}`,
    summary: endpoint.summary,
    ...(notes.length ? { description: notes.join(' ') } : {}),
    tags: [roomByEndpoint.get(name) ?? 'other'],
    'x-permission': endpoint.permission,
    ...describeSecurity(served),
    parameters: [
      ...describeParameters(endpoint.request.params, 'path', components),
      ...describeParameters(endpoint.request.query, 'query', components),
    ],
    ...requestBody,
    responses: { 200: { description: 'Done', content: responseContent }, ...describeFailures(served) },
  }
}

const listNotes = ({ endpoint, prefix }: ServedEndpoint): string[] => [
  ...(prefix === '/external' ? [`Needs an API key with the scope \`${endpoint.scope ?? ''}\`.`] : []),
  ...(endpoint.wholeOrganization ? ['For administrators of all regions of the organization.'] : []),
  ...(prefix === '/apipy' ? [legacyNote] : []),
  ...(prefix === '/apipy' && endpoint.method === 'GET'
    ? ['Also as POST, with the query in the body, where no other call has the path.']
    : []),
]

function describeSecurity({ endpoint, prefix }: ServedEndpoint): Json {
  if (prefix === '/external')
    return {
      'x-scope': endpoint.scope,
      'x-rate-limit': getCallKind(endpoint),
      security: describeKeySecurity(endpoint.scope),
    }
  return endpoint.permission === 'public' ? { security: [] } : {}
}

function describeRequestBody({ endpoint, prefix }: ServedEndpoint, components: Json): Json {
  const { body } = endpoint.request
  if (!body) return {}
  const content = describeContent(body, 'input', components)
  return {
    requestBody: {
      required: true,
      content:
        prefix === '/apipy'
          ? describeLegacyContent(content, { $ref: '#/components/schemas/LegacyCredentials' })
          : content,
    },
  }
}

function describeResponse({ endpoint, prefix }: ServedEndpoint, components: Json): Json {
  const { response, medias } = endpoint
  const ownContent = describeContent(response, 'output', components)
  const content = medias
    ? describeContentByMedia(ownContent, [...(isMedia(response) ? Object.keys(ownContent) : []), ...medias])
    : ownContent
  return prefix === '/apipy' ? describeLegacyContent(content, successSchema) : content
}

/** Returns the content of a response that is sent as one of several media types. */
const describeContentByMedia = (content: Json, medias: readonly string[]): Json =>
  Object.fromEntries(
    [...new Set(medias)].map((media) => [
      media,
      media.startsWith('text/')
        ? { schema: { type: 'string' } }
        : (content['application/json'] ?? Object.values(content)[0]),
    ]),
  )

/** Returns the responses of failed calls, by status. */
function describeFailures({ endpoint, prefix }: ServedEndpoint): Json {
  // Responses of calls that are refused while the server is busy; they have a retry time.
  const busyCodes =
    endpoint.cost === 'heavy' || endpoint.longBody || prefix === '/external'
      ? ['too_many_requests', 'service_unavailable']
      : []
  const describeHeaders = (code: string): Json =>
    busyCodes.includes(code)
      ? { headers: { 'Retry-After': { description: 'Seconds', schema: { type: 'integer' } } } }
      : {}
  return Object.fromEntries(
    Object.entries(problems)
      .filter(([code]) => [...commonCodes, ...busyCodes].includes(code))
      .map(([code, { status, text }]) => [
        status,
        {
          description: text,
          ...describeHeaders(code),
          content: { 'application/json': { schema: { $ref: '#/components/schemas/Problem' } } },
        },
      ]),
  )
}

/** The messages of webhooks, by type. */
const webhooks = Object.fromEntries(
  Object.entries(webhookEvents).map(([type, fields]) => [
    type,
    {
      post: {
        summary: `Message of a webhook: ${type}`,
        description:
          'Signed as Standard Webhooks 1.0.0 says, with `webhook-id`, `webhook-timestamp` and `webhook-signature`.',
        requestBody: {
          required: true,
          content: {
            'application/json': {
              schema: {
                type: 'object',
                properties: {
                  type: { const: type },
                  timestamp: { type: 'string', format: 'date-time' },
                  data: { type: 'object', description: `region_id, ${fields}` },
                },
                required: ['type', 'timestamp', 'data'],
              },
            },
          },
        },
        responses: { 200: { description: 'Accepted; any status from 200 to 299 is' } },
      },
    },
  ]),
)

/** Returns the OpenAPI 3.1 document of the endpoints. */
export function openApi(endpoints: ReadonlyMap<string, Endpoint>): Json {
  const components: Json = {
    Problem: toJsonSchema(ProblemBody, 'output', {}),
    LegacyCredentials: legacyCredentials,
  }
  const paths: Record<string, Json> = { [signInPath]: signIn }
  for (const [name, endpoint] of endpoints)
    for (const prefix of endpoint.prefixes)
      (paths[prefix + endpoint.path] ??= {})[endpoint.method.toLowerCase()] = describeOperation(
        { name, endpoint, prefix },
        components,
      )
  return {
    openapi: '3.1.0',
    info: {
      title: 'Publicway',
      version: apiVersion,
      description: 'How a city manages its streets: regions, geographies, trips in, evaluation maps.',
    },
    servers: [{ url: '/' }],
    security: [{ session: [] }, { bearer: [] }],
    'x-scopes': Object.fromEntries(
      Object.entries(apiScopes).map(([scope, { description }]) => [scope, description]),
    ),
    paths,
    webhooks,
    components: {
      schemas: components,
      securitySchemes: {
        session: { type: 'apiKey', in: 'cookie', name: 'publicway.session_token' },
        bearer: {
          type: 'http',
          scheme: 'bearer',
          description: 'The value of `set-auth-token`, a header of the response to the sign-in',
        },
        apiKey: {
          type: 'apiKey',
          in: 'header',
          name: 'x-api-key',
          description: 'An API key, for calls under `/external`; its scopes are listed in `x-scopes`',
        },
        apiKeyBearer: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'pwk_{environment}_{id}_{secret}',
          description: 'An API key as bearer token, for calls under `/external`',
        },
      },
    },
  }
}
