import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { Readable } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'

/** A signed-in caller of a running server. */
export interface ApiClient {
  json(method: string, path: string, body?: unknown): Promise<Record<string, unknown>>
  sendFile(path: string, file: string): Promise<Record<string, unknown>>
}

export interface ApiSettings {
  /** Of the server. */
  url: string
  email: string
  password: string
  /** Used instead of signing in. */
  token?: string | undefined
  /** Where tokens of earlier calls are stored. */
  tokenFile?: string
  pause?: (ms: number) => Promise<unknown>
  say?: (line: string) => void
}

/** Tokens of this command, readable by this user only. */
export const defaultTokenFile = (): string =>
  path.join(process.env['XDG_CONFIG_HOME'] ?? path.join(os.homedir(), '.config'), 'publicway', 'tokens.json')

const maxTries = 6
/** A server that asks for a longer pause is not waited for. */
const maxPauseSeconds = 20 * 60

async function read(answer: Response): Promise<Record<string, unknown>> {
  const text = await answer.text()
  const body = (text.startsWith('{') ? JSON.parse(text) : { detail: text }) as Record<string, unknown>
  if (!answer.ok)
    throw new Error(
      `${answer.status}: ${String(body['detail'] ?? body['message'] ?? text)}${body['id'] ? ` (${String(body['id'])})` : ''}`,
    )
  return body
}

function storedTokens(file: string): Record<string, string> {
  try {
    return JSON.parse(fs.readFileSync(file, 'utf8')) as Record<string, string>
  } catch {
    return {}
  }
}

function storeToken(file: string, key: string, token: string): void {
  fs.mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 })
  fs.writeFileSync(file, JSON.stringify({ ...storedTokens(file), [key]: token }), { mode: 0o600 })
}

/**
 * Calls the server as one user. Signs in only where no token of an earlier call is stored or the stored one has ended, so that
 * many calls in a row do not meet the limit of sign-ins. An answer 429 or 503 is waited out, as long as its Retry-After says.
 * Throws what the server says.
 */
export async function apiClient({
  url,
  email,
  password,
  token: given,
  tokenFile = defaultTokenFile(),
  pause = wait,
  say = console.error,
}: ApiSettings): Promise<ApiClient> {
  const key = `${url} ${email}`

  /** Sends until the server accepts it. `request` creates a new request each time, because a body can only be read once. */
  async function send(where: string, request: () => RequestInit): Promise<Response> {
    for (let tries = 1; ; tries++) {
      const answer = await fetch(url + where, request()).catch((error: unknown) => {
        if ((error as { cause?: NodeJS.ErrnoException }).cause?.code === 'ECONNREFUSED')
          throw new Error(`No server answers at ${url}. Start it with npm start, or name another with --url.`)
        throw error
      })
      if (answer.status !== 429 && answer.status !== 503) return answer
      const retryAfter = Number(answer.headers.get('retry-after') ?? Number.NaN)
      const seconds = Number.isFinite(retryAfter) && retryAfter >= 0 ? Math.max(1, retryAfter) : 2 ** tries
      if (tries === maxTries || seconds > maxPauseSeconds) return answer
      await answer.body?.cancel()
      say(`The server asks to wait ${seconds} s (${answer.status}).`)
      await pause(seconds * 1000)
    }
  }

  async function signIn(): Promise<string> {
    const answer = await send('/api/auth/sign-in/email', () => ({
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: url },
      body: JSON.stringify({ email, password }),
    }))
    await read(answer.clone())
    const token = answer.headers.get('set-auth-token')
    if (!token)
      throw new Error(
        'The server gave no token: the account needs a second factor. Sign in to the browser and name a token with PUBLICWAY_TOKEN.',
      )
    storeToken(tokenFile, key, token)
    return token
  }

  let token = given ?? storedTokens(tokenFile)[key] ?? (await signIn())
  let isFresh = given !== undefined

  async function call(where: string, request: () => RequestInit): Promise<Record<string, unknown>> {
    const authorized = (): RequestInit => {
      const { headers, ...rest } = request()
      return {
        ...rest,
        headers: { ...(headers as Record<string, string> | undefined), authorization: `Bearer ${token}` },
      }
    }
    const answer = await send(where, authorized)
    if (answer.status !== 401 || isFresh) return read(answer)
    await answer.body?.cancel()
    token = await signIn()
    isFresh = true
    return read(await send(where, authorized))
  }

  return {
    json: (method, where, body) =>
      call(where, () => ({
        method,
        ...(body === undefined
          ? {}
          : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
      })),
    sendFile: (where, file) =>
      call(
        where,
        () =>
          ({
            method: 'POST',
            headers: { 'content-type': 'application/octet-stream' },
            body: Readable.toWeb(fs.createReadStream(file)) as ReadableStream,
            duplex: 'half',
          }) as RequestInit,
      ),
  }
}
