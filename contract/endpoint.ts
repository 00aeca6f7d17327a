import type { z } from 'zod'
import type { ApiScope } from './api-scopes.ts'
import type { Permission } from './permission.ts'

/** Bytes of one media type, for a request or response that is not JSON. */
export interface Media {
  media: string
}

/** One operation of the API: served by the server, called by the web app and described in OpenAPI. */
export interface Endpoint {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** Path after the prefix, parameters in braces: `/regions/{region_id}`. */
  path: string
  /**
   * `/v2` and `/apipy` unless declared otherwise. Under `/apipy` a call has the legacy form: token, region_id
   * and impersonated_user in the body, GET also as POST with its query in the body, a success flag in the
   * response.
   */
  prefixes: readonly Prefix[]
  permission: Permission
  /** Changes something of the entire organization; not for administrators of some regions only. */
  wholeOrganization?: boolean
  /** Returns data of single trips or people; every read is recorded in the audit log. */
  personal?: boolean
  /** Accepts a JSON body of up to 32 MB (the shapes of a city) instead of 1 MB, for public calls 64 KB. */
  longBody?: boolean
  /** Cost for the fact store. Heavy calls queue and may be refused with 429 or 503. Default: light. */
  cost?: EndpointCost
  /** Whether a POST only reads. It is a POST because its parameters are too long for a URL. */
  reads?: boolean
  /** Changes only data of the calling user, so that users of operators may call it. */
  changesOwnData?: boolean
  /** Also served under `/external`, to API keys with this scope. Keys work only there, sessions elsewhere. */
  scope?: ApiScope
  summary: string
  /** Additional media types of the response for OpenAPI; the default comes first if it is not JSON. */
  medias?: readonly string[]
  request: RequestSchema
  response: z.ZodType | Media
}

export type EndpointCost = 'light' | 'heavy'

export type Prefix = '' | '/v2' | '/internal' | '/apipy' | '/external'

export interface RequestSchema {
  params?: z.ZodObject
  query?: z.ZodObject
  body?: z.ZodType | Media
}

type Out<T> = T extends z.ZodType ? z.output<T> : undefined
type In<T> = T extends z.ZodType ? z.input<T> : undefined

/** The parsed request that a use case receives. */
export interface ParsedRequest<E extends Endpoint> {
  params: Out<E['request']['params']>
  query: Out<E['request']['query']>
  body: E['request']['body'] extends Media ? NodeReadable : Out<E['request']['body']>
}

/** The request that a caller passes. */
export interface RequestInput<E extends Endpoint> {
  params: In<E['request']['params']>
  query: In<E['request']['query']>
  body: E['request']['body'] extends Media ? Sendable | Uint8Array : In<E['request']['body']>
}

export type EndpointOutput<E extends Endpoint> = E['response'] extends z.ZodType
  ? z.output<E['response']>
  : Uint8Array

/** A file as provided by the browser. */
export interface Sendable {
  readonly size: number
  arrayBuffer(): Promise<ArrayBuffer>
}

/** A byte stream; Node streams and web streams both satisfy it. */
export type NodeReadable = AsyncIterable<Uint8Array>

type Declaration = Omit<Endpoint, 'method' | 'path' | 'prefixes'> & {
  /** Method and path: `GET /regions/{region_id}`. */
  route: `${Endpoint['method']} /${string}`
  prefixes?: readonly Prefix[]
}

type Declared<E extends Declaration> = Omit<E, 'route' | 'method' | 'path' | 'prefixes'> & {
  method: E['route'] extends `${infer M extends Endpoint['method']} ${string}` ? M : never
  path: E['route'] extends `${string} ${infer P}` ? P : never
  prefixes: E extends { prefixes: infer P } ? P : readonly ['/v2', '/apipy']
}

/** Declares an endpoint. Default prefixes: `/v2` and `/apipy`; with a scope, `/external` is added. */
export function endpoint<const E extends Declaration>({ route, ...declaration }: E): Declared<E> {
  const [method, path] = route.split(' ')
  const prefixes: readonly Prefix[] = declaration.prefixes ?? ['/v2', '/apipy']
  // A public variant copies the declaration of a call including its scope, but requires no key.
  const isExternal =
    declaration.scope !== undefined && declaration.permission !== 'public' && !prefixes.includes('/external')
  return {
    ...declaration,
    method,
    path,
    prefixes: isExternal ? [...prefixes, '/external'] : prefixes,
  } as unknown as Declared<E>
}

/** Returns whether a body is a file of a media type, not JSON. */
export const isMedia = (shape: z.ZodType | Media | undefined): shape is Media =>
  shape !== undefined && 'media' in shape
