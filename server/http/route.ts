import type { EndpointOutput, ParsedRequest, Endpoint } from '#contract/endpoint.ts'
import type { Viewer } from './viewer.ts'

/** What a use case gets beside the ask. */
export interface Call<E extends Endpoint> extends ParsedRequest<E> {
  /** Signed in, unless the endpoint is public. */
  viewer: E['permission'] extends 'public' ? null : Viewer
  /** When the request came. */
  at: Date
  /** Stops when the asker goes away. */
  signal: AbortSignal
  headers: Headers
}

/** An answer with its own headers or status: bytes, files, not modified. */
export class RawAnswer {
  readonly body: Uint8Array | NodeJS.ReadableStream | null
  readonly headers: Record<string, string>
  readonly status: number
  constructor(
    body: Uint8Array | NodeJS.ReadableStream | null,
    headers: Record<string, string>,
    status = 200,
  ) {
    this.body = body
    this.headers = headers
    this.status = status
  }
}

/** A JSON answer of another media type, such as GeoJSON. */
export class TypedAnswer {
  readonly value: object
  readonly type: string
  constructor(value: object, type: string) {
    this.value = value
    this.type = type
  }
}

/** An endpoint with the function that answers it. */
export interface Route {
  endpoint: Endpoint
  answer: (call: Call<Endpoint>) => Promise<unknown>
}

/** Binds an endpoint to its use case; the types of ask and answer must fit. */
export function route<E extends Endpoint>(
  endpoint: E,
  answer: (
    call: Call<E>,
  ) => Promise<EndpointOutput<E> | RawAnswer | TypedAnswer> | EndpointOutput<E> | RawAnswer | TypedAnswer,
): Route {
  return { endpoint, answer: async (call) => answer(call as unknown as Call<E>) }
}
