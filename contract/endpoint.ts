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
  /** `/v2` unless said otherwise; `/apipy` adds the legacy form (token in the body, success flag). */
  prefixes: readonly Prefix[]
  permission: Permission
  /** Answers of single trips or people: who reads them is written to the audit log. */
  personal?: boolean
  /** Its JSON body may be long: shapes of a city. Others are small. */
  longBody?: boolean
  /** A POST that only asks: its question does not fit an address. */
  reads?: boolean
  /** It changes what is the asker's own and nobody else's. */
  own?: boolean
  summary: string
  ask: Ask
  answer: z.ZodType | Media
}

export type Prefix = '' | '/v2' | '/internal' | '/apipy'

export interface Ask {
  params?: z.ZodObject
  query?: z.ZodObject
  body?: z.ZodType | Media
}

type Out<T> = T extends z.ZodType ? z.output<T> : undefined
type In<T> = T extends z.ZodType ? z.input<T> : undefined

/** What a use case gets: everything parsed. */
export interface Asked<E extends Endpoint> {
  params: Out<E['ask']['params']>
  query: Out<E['ask']['query']>
  body: E['ask']['body'] extends Media ? NodeReadable : Out<E['ask']['body']>
}

/** What a caller gives. */
export interface Asking<E extends Endpoint> {
  params: In<E['ask']['params']>
  query: In<E['ask']['query']>
  body: E['ask']['body'] extends Media ? Sendable | Uint8Array : In<E['ask']['body']>
}

export type Answer<E extends Endpoint> = E['answer'] extends z.ZodType ? z.output<E['answer']> : Uint8Array

/** A file as the browser hands it over. */
export interface Sendable {
  readonly size: number
  arrayBuffer(): Promise<ArrayBuffer>
}

/** A byte stream that both a Node stream and a web stream satisfy. */
export type NodeReadable = AsyncIterable<Uint8Array>

type Given<E> = Omit<E, 'prefixes'> & { prefixes: E extends { prefixes: infer P } ? P : readonly ['/v2'] }

/** Declares an endpoint as one value; the prefix is `/v2` unless given. */
export function endpoint<const E extends Omit<Endpoint, 'prefixes'> & { prefixes?: readonly Prefix[] }>(given: E): Given<E> {
  return { prefixes: ['/v2'] as const, ...given } as unknown as Given<E>
}

export const isMedia = (shape: z.ZodType | Media | undefined): shape is Media => shape !== undefined && 'media' in shape
