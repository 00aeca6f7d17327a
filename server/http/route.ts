import type { EndpointOutput, ParsedRequest, Endpoint } from '#contract/endpoint.ts'
import type { Viewer } from './viewer.ts'

/** Input of a use case: the parsed request and its context. */
export interface Call<E extends Endpoint> extends ParsedRequest<E> {
  /** The signed-in user; null if the endpoint is public. */
  viewer: E['permission'] extends 'public' ? null : Viewer
  /** Time of the request. */
  at: Date
  /** Aborted when the client disconnects. */
  signal: AbortSignal
  headers: Headers
}

/** What a use case that writes needs of a call. Code without a request, such as the demo city, can make one. */
export type WriteCall<E extends Endpoint> = Pick<Call<E>, 'viewer' | 'params' | 'body' | 'at'>

/** The parts of a call that a use case reads, with only the Scope of its viewer. */
export type ScopedCall<E extends Endpoint, Part extends 'params' | 'query' | 'body' | 'at'> = Pick<
  Call<E>,
  Part
> & { viewer: Pick<Viewer, 'scope'> }

/** A response with its own headers and status: bytes, files, 304. */
export class RawResponse {
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

/** A JSON response of another media type, such as GeoJSON. */
export class TypedResponse {
  readonly value: object
  readonly type: string
  constructor(value: object, type: string) {
    this.value = value
    this.type = type
  }
}

/** An endpoint with its use case. */
export interface Route {
  endpoint: Endpoint
  handle: (call: Call<Endpoint>) => Promise<unknown>
}

/** Binds an endpoint to its use case; their types must match. */
export function route<E extends Endpoint>(
  endpoint: E,
  handle: (
    call: Call<E>,
  ) =>
    | Promise<EndpointOutput<E> | RawResponse | TypedResponse>
    | EndpointOutput<E>
    | RawResponse
    | TypedResponse,
): Route {
  return { endpoint, handle: async (call) => handle(call as unknown as Call<E>) }
}

/** Returns routes that call `check` before their use case. It throws for calls that are refused. */
export const withCheck = (routes: Route[], check: (call: Call<Endpoint>) => Promise<void> | void): Route[] =>
  routes.map(({ endpoint, handle }) => ({
    endpoint,
    handle: async (call) => {
      await check(call)
      return handle(call)
    },
  }))
