import type { z } from 'zod'
import type { Permission } from './permission.ts'

/** Bytes of one media type, where an ask or an answer is no JSON. */
export interface Media {
  media: string
}

/** One operation of the API: what the server serves, the web calls and OpenAPI describes. */
export interface Endpoint {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** Path after the prefix, parameters in braces: `/regions/{region_id}`. */
  path: string
  /**
   * `/v2` and `/apipy` unless declared otherwise. Under `/apipy` a call has the legacy form: token, region_id and
   * impersonated_user in the body, GET also as POST with its query in the body, a success flag in the answer.
   */
  prefixes: readonly Prefix[]
  permission: Permission
  /** It changes what belongs to the whole organization: not for administrators of some regions only. */
  wholeOrganization?: boolean
  /** Answers of single trips or people: who reads them is written to the audit log. */
  personal?: boolean
  /** Its JSON body may be 32 MB long: shapes of a city. Others may be 1 MB, those of public calls 64 KB. */
  longBody?: boolean
  /** What its questions cost the fact store: heavy ones wait for a turn and may be refused with 429 or 503. Light unless declared. */
  cost?: EndpointCost
  /** A POST that only asks: its question does not fit an address. */
  reads?: boolean
  /** It changes what is the asker's own and nobody else's. */
  own?: boolean
  summary: string
  /** Media types that the answer also has, the default first where it is not JSON; for the description. */
  medias?: readonly string[]
  ask: RequestSchema
  answer: z.ZodType | Media
}

export type EndpointCost = 'light' | 'heavy'

export type Prefix = '' | '/v2' | '/internal' | '/apipy'

export interface RequestSchema {
  params?: z.ZodObject
  query?: z.ZodObject
  body?: z.ZodType | Media
}

type Out<T> = T extends z.ZodType ? z.output<T> : undefined
type In<T> = T extends z.ZodType ? z.input<T> : undefined

/** What a use case gets: everything parsed. */
export interface ParsedRequest<E extends Endpoint> {
  params: Out<E['ask']['params']>
  query: Out<E['ask']['query']>
  body: E['ask']['body'] extends Media ? NodeReadable : Out<E['ask']['body']>
}

/** What a caller gives. */
export interface RequestInput<E extends Endpoint> {
  params: In<E['ask']['params']>
  query: In<E['ask']['query']>
  body: E['ask']['body'] extends Media ? Sendable | Uint8Array : In<E['ask']['body']>
}

export type EndpointOutput<E extends Endpoint> = E['answer'] extends z.ZodType
  ? z.output<E['answer']>
  : Uint8Array

/** A file as the browser hands it over. */
export interface Sendable {
  readonly size: number
  arrayBuffer(): Promise<ArrayBuffer>
}

/** A byte stream that both a Node stream and a web stream satisfy. */
export type NodeReadable = AsyncIterable<Uint8Array>

type WithPrefixes<E> = Omit<E, 'prefixes'> & {
  prefixes: E extends { prefixes: infer P } ? P : readonly ['/v2', '/apipy']
}

/** Declares an endpoint as one value; its prefixes are `/v2` and `/apipy` unless given. */
export function endpoint<const E extends Omit<Endpoint, 'prefixes'> & { prefixes?: readonly Prefix[] }>(
  declaration: E,
): WithPrefixes<E> {
  return { prefixes: ['/v2', '/apipy'] as const, ...declaration } as unknown as WithPrefixes<E>
}

export const isMedia = (shape: z.ZodType | Media | undefined): shape is Media =>
  shape !== undefined && 'media' in shape
