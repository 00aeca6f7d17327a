import type { getSessionFromCtx } from 'better-auth/api'

/** The context of a request in hooks and endpoints of the identity library. */
export type AuthContext = Parameters<typeof getSessionFromCtx>[0]

/** The client's address, as determined by the server. */
export const addressOf = ({
  headers,
  request,
}: {
  headers?: Headers | undefined
  request?: Request | undefined
}): string | null => (headers ?? request?.headers)?.get('x-client-ip') ?? null
