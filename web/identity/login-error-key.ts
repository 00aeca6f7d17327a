import type { ApiError } from '#web/data/api-error.ts'

const byCode: Readonly<Record<string, string>> = {
  INVALID_EMAIL_OR_PASSWORD: 'wrong',
  INVALID_EMAIL: 'email',
  EMAIL_NOT_VERIFIED: 'unverified',
  BANNED_USER: 'closed',
  TOO_MANY_REQUESTS: 'often',
  too_many_requests: 'often',
}

const codeOf = (body: unknown): string => (typeof body === 'object' && body !== null && 'code' in body ? String(body.code) : '')

/** Key of the text that tells why the sign-in failed. */
export function loginErrorKey(error: ApiError): string {
  if (error.status === 0) return 'noAnswer'
  const known = byCode[codeOf(error.body)]
  if (known) return known
  if (error.status === 401) return 'wrong'
  return error.status === 429 ? 'often' : 'other'
}
