import type { getSessionFromCtx } from 'better-auth/api'

/** A request as hooks and endpoints of the identity library see it. */
export type AuthContext = Parameters<typeof getSessionFromCtx>[0]

/** The asker's address, as the server itself saw it. */
export const addressOf = ({
  headers,
  request,
}: {
  headers?: Headers | undefined
  request?: Request | undefined
}): string | null => (headers ?? request?.headers)?.get('x-client-ip') ?? null
